/// Decodes one canonical Huffman code of a DEFLATE stream.
///
/// Codes of up to ``fastBits`` bits are looked up in a table, longer ones are decoded length by length.
struct HuffmanDecoder {
  private static let fastBits = 10

  /// For each bit pattern, the length in the low 4 bits and the symbol above; 0 for longer codes.
  private var fast: [UInt16]
  /// The number of codes of each length.
  private var counts = [Int](repeating: 0, count: RawDeflate.maximumCodeLength + 1)
  /// The symbols in code order.
  private var symbols: [UInt16]

  /// A decoder, or `nil` if the lengths do not form a code.
  ///
  /// An oversubscribed code is never valid. An incomplete code is valid only if at most one symbol is
  /// used, with one bit (RFC 1951, 3.2.7).
  init?(lengths: [UInt8]) {
    for length in lengths { counts[Int(length)] += 1 }
    let used = lengths.count - counts[0]
    counts[0] = 0
    var room = 1
    for length in 1...RawDeflate.maximumCodeLength {
      room = room * 2 - counts[length]
      guard room >= 0 else { return nil }
    }
    guard room == 0 || used == 0 || (used == 1 && counts[1] == 1) else { return nil }
    fast = [UInt16](repeating: 0, count: 1 << Self.fastBits)
    symbols = [UInt16](repeating: 0, count: used)
    fill(lengths)
  }

  private mutating func fill(_ lengths: [UInt8]) {
    var next = HuffmanCode.firstCodes(counts: counts)
    var places = [Int](repeating: 0, count: counts.count)
    for length in 1..<RawDeflate.maximumCodeLength {
      places[length + 1] = places[length] + counts[length]
    }
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      symbols[places[length]] = UInt16(symbol)
      places[length] += 1
      let code = HuffmanCode.reversed(next[length], length: length)
      next[length] += 1
      guard length <= Self.fastBits else { continue }
      for pattern in stride(from: code, to: fast.count, by: 1 << length) {
        fast[pattern] = UInt16(symbol << 4 | length)
      }
    }
  }

  func decode(_ bits: inout DeflateBitReader) throws(CodingError) -> Int {
    let pattern = bits.peek(RawDeflate.maximumCodeLength)
    let entry = fast[pattern & (fast.count - 1)]
    if entry != 0 {
      try bits.skip(Int(entry & 0xF))
      return Int(entry >> 4)
    }
    var (code, first, place) = (0, 0, 0)
    for length in 1...RawDeflate.maximumCodeLength {
      code = code << 1 | (pattern >> (length - 1)) & 1
      let count = counts[length]
      if code - first < count {
        try bits.skip(length)
        return Int(symbols[place + code - first])
      }
      place += count
      first = (first + count) << 1
    }
    throw .invalid("a DEFLATE stream", offset: bits.position, reason: "has a code without meaning")
  }
}

/// Computations shared by the encoder and decoder of canonical Huffman codes.
enum HuffmanCode {
  /// The first code of each length.
  static func firstCodes(counts: [Int]) -> [Int] {
    var result = [Int](repeating: 0, count: counts.count)
    for length in 1..<counts.count {
      result[length] = (result[length - 1] + (length == 1 ? 0 : counts[length - 1])) << 1
    }
    return result
  }

  /// A code with its bits in stream order.
  static func reversed(_ code: Int, length: Int) -> Int {
    var (code, result) = (code, 0)
    for _ in 0..<length {
      result = result << 1 | code & 1
      code >>= 1
    }
    return result
  }
}

/// Encodes symbols in one canonical Huffman code of a DEFLATE stream.
struct HuffmanEncoder {
  private let lengths: [UInt8]
  private let codes: [Int]

  /// An encoder for the length of each symbol's code.
  init(lengths: [UInt8]) {
    self.lengths = lengths
    var counts = [Int](repeating: 0, count: RawDeflate.maximumCodeLength + 1)
    for length in lengths { counts[Int(length)] += 1 }
    var next = HuffmanCode.firstCodes(counts: counts)
    codes = lengths.map { length in
      defer { next[Int(length)] += 1 }
      return HuffmanCode.reversed(next[Int(length)], length: Int(length))
    }
  }

  func put(_ symbol: Int, _ bits: inout DeflateBitWriter) {
    bits.put(codes[symbol], Int(lengths[symbol]))
  }
}
