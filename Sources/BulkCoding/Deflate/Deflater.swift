/// Compresses bytes into one raw DEFLATE stream, a single block with the fixed codes.
///
/// Codes of its own would make the model cache of a store shorter by a twentieth.
struct Deflater {
  /// The symbols for lengths from 3 and distances from 1.
  private static let lengthSymbols = symbols(
    bases: RawDeflate.lengthBases,
    upTo: RawDeflate.maximumMatch
  )
  private static let distanceSymbols = symbols(
    bases: RawDeflate.distanceBases,
    upTo: RawDeflate.windowLength
  )

  private static func symbols(bases: [Int], upTo last: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: last + 1)
    for (symbol, base) in bases.enumerated() {
      for value in base...last { result[value] = UInt8(symbol) }
    }
    return result
  }

  private let literals = HuffmanEncoder(lengths: RawDeflate.fixedLiteralLengths)
  private let distances = HuffmanEncoder(lengths: RawDeflate.fixedDistanceLengths)
  private var finder: MatchFinder
  private var bits = DeflateBitWriter()

  init(bytes: [UInt8]) { finder = MatchFinder(bytes: bytes) }

  mutating func run() -> [UInt8] {
    // The last block, with fixed codes.
    bits.put(1, 1)
    bits.put(1, 2)
    while !finder.isAtEnd { put(finder.next()) }
    literals.put(RawDeflate.endOfBlock, &bits)
    bits.alignToByte()
    return bits.bytes
  }

  private mutating func put(_ token: MatchFinder.Token) {
    let length = Int(token.length)
    guard token.distance > 0 else { return literals.put(length, &bits) }
    let lengthSymbol = Int(Self.lengthSymbols[length])
    literals.put(RawDeflate.endOfBlock + 1 + lengthSymbol, &bits)
    bits.put(
      length - RawDeflate.lengthBases[lengthSymbol],
      RawDeflate.lengthExtraBits[lengthSymbol]
    )
    let distance = Int(token.distance)
    let symbol = Int(Self.distanceSymbols[distance])
    distances.put(symbol, &bits)
    bits.put(distance - RawDeflate.distanceBases[symbol], RawDeflate.distanceExtraBits[symbol])
  }
}

/// Writes bits to a DEFLATE stream, least significant bit of a byte first.
struct DeflateBitWriter {
  private(set) var bytes: [UInt8] = []
  private var buffer: UInt64 = 0
  private var bufferedBits = 0

  /// Writes up to 32 bits.
  mutating func put(_ value: Int, _ count: Int) {
    buffer |= UInt64(value) << UInt64(bufferedBits)
    bufferedBits += count
    while bufferedBits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: buffer))
      buffer >>= 8
      bufferedBits -= 8
    }
  }

  /// Pads a partially written byte with zero bits.
  mutating func alignToByte() {
    guard bufferedBits > 0 else { return }
    put(0, 8 - bufferedBits)
  }
}

/// Finds repetitions in bytes (LZ77) with chains of positions whose next three bytes have equal hashes.
struct MatchFinder {
  /// A literal byte, or a repetition of `length` bytes from `distance` back.
  struct Token {
    /// 0 for a literal.
    let distance: UInt16
    /// The byte of a literal.
    let length: UInt16
  }

  private static let hashBits = 15
  private static let chainLimit = 64
  /// A match this long is accepted without examining the next position.
  private static let niceLength = 128

  private let bytes: [UInt8]
  /// The last position of each hash, and the previous position of each one in the window.
  private var heads = [Int](repeating: -1, count: 1 << hashBits)
  private var previous = [Int](repeating: -1, count: RawDeflate.windowLength)
  private var hashed = 0
  private(set) var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  /// The next token; a match is deferred if the next position has a longer one.
  mutating func next() -> Token {
    let here = longestMatch(at: position)
    if here.length >= RawDeflate.minimumMatch {
      let isNice = here.length >= Self.niceLength
      if isNice || longestMatch(at: position + 1).length <= here.length {
        position += here.length
        return Token(distance: UInt16(here.distance), length: UInt16(here.length))
      }
    }
    position += 1
    return Token(distance: 0, length: UInt16(bytes[position - 1]))
  }

  private func hash(at position: Int) -> Int {
    let key =
      UInt32(bytes[position]) << 16 | UInt32(bytes[position + 1]) << 8 | UInt32(bytes[position + 2])
    return Int((key &* 0x9E37_79B1) >> UInt32(32 - Self.hashBits))
  }

  private mutating func hashUp(to position: Int) {
    while hashed < position, hashed + RawDeflate.minimumMatch <= bytes.count {
      let slot = hash(at: hashed)
      previous[hashed % RawDeflate.windowLength] = heads[slot]
      heads[slot] = Int(hashed)
      hashed += 1
    }
  }

  private mutating func longestMatch(at position: Int) -> (length: Int, distance: Int) {
    guard position + RawDeflate.minimumMatch <= bytes.count else { return (0, 0) }
    hashUp(to: position)
    let most = min(RawDeflate.maximumMatch, bytes.count - position)
    var best = (length: 0, distance: 0)
    var candidate = Int(heads[hash(at: position)])
    var left = Self.chainLimit
    while candidate >= 0, position - candidate <= RawDeflate.windowLength, left > 0 {
      let length = matchLength(candidate, position, most)
      if length > best.length { best = (length, position - candidate) }
      if best.length == most { break }
      left -= 1
      let before = Int(previous[candidate % RawDeflate.windowLength])
      // An overwritten entry refers to a later position.
      guard before < candidate else { break }
      candidate = before
    }
    return best
  }

  private func matchLength(_ candidate: Int, _ position: Int, _ most: Int) -> Int {
    var length = 0
    while length < most, bytes[candidate + length] == bytes[position + length] { length += 1 }
    return length
  }
}
