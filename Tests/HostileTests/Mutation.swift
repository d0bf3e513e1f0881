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
      for place in range.clamped(to: bytes.indices) { bytes[place] = value }
    }
    return bytes
  }
}
