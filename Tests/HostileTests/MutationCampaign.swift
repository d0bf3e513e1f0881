import BulkTestSupport

/// Runs many trials and counts how they end.
struct MutationCampaign {
  var right = 0
  var refused = 0
  var wrong: [String] = []

  static func run(_ mutations: [Mutation], on store: SmallStore) throws -> MutationCampaign {
    var result = MutationCampaign()
    let trial = Trial(store: store)
    for mutation in mutations {
      switch try trial.run(mutation.applied(to: store.bytes)) {
      case .right: result.right += 1
      case .refused: result.refused += 1
      case .wrong(let how): result.wrong.append("\(mutation): \(how)")
      }
    }
    return result
  }

  /// Every page's beginning, and every hundredth byte of the first page.
  static func cuts(of bytes: [UInt8]) -> [Mutation] {
    let first = stride(from: 0, to: pageSize, by: 100)
    let pages = stride(from: pageSize, to: bytes.count, by: pageSize)
    return (Array(first) + Array(pages)).map { .cut(at: $0) }
  }

  /// Eight flips of single bits.
  ///
  /// The first cases are, in a random order, all of a bit of every sixth byte of the first 16 pages and of 2,000 bytes
  /// elsewhere, some 1,600 cases; those after them are of any bits.
  static func flips(of bytes: [UInt8], case number: UInt64) -> [Mutation] {
    let all = flips(of: bytes)
    let part = all.dropFirst(8 * Int(number))
    if !part.isEmpty { return Array(part.prefix(8)) }
    var random = SeededGenerator(seed: number)
    return (0..<8).map { _ in .flip(bit: Int.random(in: 0..<(bytes.count * 8), using: &random)) }
  }

  private static func flips(of bytes: [UInt8]) -> [Mutation] {
    var random = SeededGenerator(seed: 1)
    let border = min(16 * pageSize, bytes.count)
    let near = stride(from: 0, to: border, by: 6)
    let far =
      border < bytes.count
      ? (0..<2_000).map { _ in Int.random(in: border..<bytes.count, using: &random) } : []
    return (Array(near) + far).map { .flip(bit: $0 * 8 + Int.random(in: 0..<8, using: &random)) }
      .shuffled(using: &random)
  }

  static let pageSize = 4096
}

/// Something that happens to the bytes of a file.
enum Mutation: Hashable, Sendable, CustomStringConvertible {
  /// The file ends early.
  case cut(at: Int)
  /// One bit is the other way.
  case flip(bit: Int)
  /// A run of bytes is all one value.
  case fill(Range<Int>, UInt8)

  var description: String {
    switch self {
    case .cut(let length): "cut at \(length)"
    case .flip(let bit): "bit \(bit % 8) of byte \(bit / 8) flipped"
    case .fill(let range, let value): "bytes \(range) are \(value)"
    }
  }

  /// The bytes after it.
  func applied(to bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    switch self {
    case .cut(let length): bytes.removeLast(bytes.count - length)
    case .flip(let bit): bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    case .fill(let range, let value):
      for offset in range.clamped(to: bytes.indices) { bytes[offset] = value }
    }
    return bytes
  }
}
