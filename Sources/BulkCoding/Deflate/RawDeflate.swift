/// Raw streams of the DEFLATE format (RFC 1951), without the header of zlib or gzip.
///
/// Core Data stores its model cache as one.
package enum RawDeflate {
  static let minimumMatch = 3
  static let maximumMatch = 258
  static let windowLength = 32_768
  /// Symbols of literals and lengths; 256 ends a block.
  static let endOfBlock = 256
  static let maximumCodeLength = 15

  /// The least length of each length symbol from 257, and the number of extra bits.
  static let lengthBases: [Int] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  static let lengthExtraBits: [Int] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  /// The least distance of each distance symbol, and the number of extra bits.
  static let distanceBases: [Int] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  static let distanceExtraBits: [Int] = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
  ]
  /// The order of the code length code's lengths in a dynamic block.
  static let codeLengthOrder: [Int] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  static let fixedLiteralLengths: [UInt8] =
    [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
    + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)
  static let fixedDistanceLengths = [UInt8](repeating: 5, count: 30)

  /// Decompresses a stream.
  ///
  /// - Parameters:
  ///   - bytes: The stream, with nothing after it.
  ///   - limit: The maximum number of bytes of output.
  /// - Returns: The decompressed bytes.
  /// - Throws: ``CodingError`` for a stream that is truncated, invalid, continues after its last block, or
  ///   holds more than `limit` bytes.
  package static func inflate(_ bytes: [UInt8], limit: Int) throws(CodingError) -> [UInt8] {
    var inflater = Inflater(bytes: bytes, limit: limit)
    return try inflater.run()
  }

  /// Compresses bytes into a stream; equal bytes give equal streams.
  package static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var deflater = Deflater(bytes: bytes)
    return deflater.run()
  }
}
