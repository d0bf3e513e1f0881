/// Decompresses one raw DEFLATE stream.
struct Inflater {
  private var bits: DeflateBitReader
  private var output: [UInt8] = []
  private let limit: Int

  init(bytes: [UInt8], limit: Int) {
    bits = DeflateBitReader(bytes: bytes)
    self.limit = limit
  }

  mutating func run() throws(CodingError) -> [UInt8] {
    var isLast = false
    while !isLast {
      isLast = try bits.take(1) == 1
      switch try bits.take(2) {
      case 0: try storedBlock()
      case 1: try fixedBlock()
      case 2: try dynamicBlock()
      default: throw fault("has a block of type 3")
      }
    }
    bits.alignToByte()
    guard bits.isAtEnd else { throw fault("continues after its last block") }
    return output
  }

  private func fault(_ reason: String) -> CodingError {
    .invalid("a DEFLATE stream", offset: bits.position, reason: reason)
  }

  private func makeRoom(for count: Int) throws(CodingError) {
    guard count <= limit - output.count else {
      throw .tooLarge("a DEFLATE stream", offset: bits.position, limit: limit)
    }
  }

  private mutating func storedBlock() throws(CodingError) {
    bits.alignToByte()
    let length = try bits.take(16)
    guard try bits.take(16) == length ^ 0xFFFF else {
      throw fault("has a stored block whose two lengths differ")
    }
    try makeRoom(for: length)
    output += try bits.takeBytes(length)
  }

  private mutating func fixedBlock() throws(CodingError) {
    // All 32 distance symbols are part of the code; the last two have no meaning.
    guard
      let literals = HuffmanDecoder(lengths: RawDeflate.fixedLiteralLengths),
      let distances = HuffmanDecoder(lengths: RawDeflate.fixedDistanceLengths + [5, 5])
    else { preconditionFailure("the fixed codes of RFC 1951 are complete") }
    try symbols(literals, distances)
  }

  private mutating func dynamicBlock() throws(CodingError) {
    let literalCount = try bits.take(5) + 257
    let distanceCount = try bits.take(5) + 1
    let codeLengthCount = try bits.take(4) + 4
    guard literalCount <= 286, distanceCount <= 30 else {
      throw fault("has a block with \(literalCount) literal and \(distanceCount) distance codes")
    }
    var codeLengths = [UInt8](repeating: 0, count: RawDeflate.codeLengthOrder.count)
    for place in RawDeflate.codeLengthOrder.prefix(codeLengthCount) {
      codeLengths[place] = UInt8(try bits.take(3))
    }
    guard let decoder = HuffmanDecoder(lengths: codeLengths) else {
      throw fault("has code lengths in no code")
    }
    let lengths = try self.lengths(literalCount + distanceCount, decoder)
    guard
      lengths[RawDeflate.endOfBlock] > 0,
      let literals = HuffmanDecoder(lengths: Array(lengths[..<literalCount])),
      let distances = HuffmanDecoder(lengths: Array(lengths[literalCount...]))
    else { throw fault("has a block whose codes are incomplete") }
    try symbols(literals, distances)
  }

  /// Code lengths; 16 repeats the last one, 17 and 18 repeat zero.
  private mutating func lengths(
    _ count: Int,
    _ decoder: HuffmanDecoder
  ) throws(CodingError) -> [UInt8] {
    var lengths: [UInt8] = []
    while lengths.count < count {
      let symbol = try decoder.decode(&bits)
      let (value, times): (UInt8, Int)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw fault("repeats a code length before the first") }
        (value, times) = (last, 3 + (try bits.take(2)))
      case 17: (value, times) = (0, 3 + (try bits.take(3)))
      case 18: (value, times) = (0, 11 + (try bits.take(7)))
      default: (value, times) = (UInt8(symbol), 1)
      }
      guard times <= count - lengths.count else { throw fault("has too many code lengths") }
      lengths += repeatElement(value, count: times)
    }
    return lengths
  }

  private mutating func symbols(
    _ literals: HuffmanDecoder,
    _ distances: HuffmanDecoder
  ) throws(CodingError) {
    while true {
      let symbol = try literals.decode(&bits)
      if symbol < RawDeflate.endOfBlock {
        try makeRoom(for: 1)
        output.append(UInt8(symbol))
        continue
      }
      if symbol == RawDeflate.endOfBlock { return }
      let place = symbol - RawDeflate.endOfBlock - 1
      guard place < RawDeflate.lengthBases.count else {
        throw fault("has a length without meaning")
      }
      let length =
        RawDeflate.lengthBases[place] + (try bits.take(RawDeflate.lengthExtraBits[place]))
      try copy(length, distances)
    }
  }

  private mutating func copy(_ length: Int, _ distances: HuffmanDecoder) throws(CodingError) {
    let symbol = try distances.decode(&bits)
    guard symbol < RawDeflate.distanceBases.count else {
      throw fault("has a distance without meaning")
    }
    let distance =
      RawDeflate.distanceBases[symbol] + (try bits.take(RawDeflate.distanceExtraBits[symbol]))
    guard distance <= output.count else { throw fault("refers to bytes before its beginning") }
    try makeRoom(for: length)
    var source = output.count - distance
    for _ in 0..<length {
      output.append(output[source])
      source += 1
    }
  }
}

/// Reads bits from a DEFLATE stream, least significant bit of a byte first.
struct DeflateBitReader {
  private let bytes: [UInt8]
  private(set) var offset = 0
  private var buffer: UInt64 = 0
  private var bufferedBits = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The position of the next bit in the stream.
  var position: Int { offset - bufferedBits / 8 }

  /// Up to 32 bits, without consuming them; bits past the end read as zero.
  mutating func peek(_ count: Int) -> Int {
    while bufferedBits < count, offset < bytes.count {
      buffer |= UInt64(bytes[offset]) << UInt64(bufferedBits)
      bufferedBits += 8
      offset += 1
    }
    return Int(buffer & ((1 << UInt64(count)) - 1))
  }

  mutating func skip(_ count: Int) throws(CodingError) {
    guard count <= bufferedBits else {
      throw .truncated("a DEFLATE stream", offset: bytes.count)
    }
    buffer >>= UInt64(count)
    bufferedBits -= count
  }

  /// Reads up to 32 bits.
  mutating func take(_ count: Int) throws(CodingError) -> Int {
    let value = peek(count)
    try skip(count)
    return value
  }

  /// Skips the rest of a partially read byte.
  mutating func alignToByte() {
    buffer >>= UInt64(bufferedBits % 8)
    bufferedBits -= bufferedBits % 8
  }

  /// Reads whole bytes, at a byte boundary.
  mutating func takeBytes(_ count: Int) throws(CodingError) -> ArraySlice<UInt8> {
    let start = position
    guard count <= bytes.count - start else {
      throw .truncated("a stored block of a DEFLATE stream", offset: bytes.count)
    }
    (buffer, bufferedBits, offset) = (0, 0, start + count)
    return bytes[start..<offset]
  }

  /// Whether only the rest of a byte is left.
  var isAtEnd: Bool { position >= bytes.count }
}
