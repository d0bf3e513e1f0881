/// Makes pictures: gray PNG files of a given size in bytes.
///
/// Source of the format: “Portable Network Graphics Specification”, W3C; pixels are in uncompressed DEFLATE
/// blocks, so the size is exact.
struct PictureMaker: Sendable {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// The size in bytes of a file without its pixels: signature, three chunk headers, zlib's frame.
  private static let frame = 8 + 25 + 12 + 12 + 6
  private static let blockSize = 65_535

  /// A picture of about this many bytes; the smallest has 69.
  static func png(size: Int, _ random: inout RepeatableRandom) -> [UInt8] {
    let room = max(size - frame - 5 * (size / blockSize + 1), 1)
    let width = min(max(Int(Double(room).squareRoot()) - 1, 1), 4096)
    let height = max(room / (width + 1), 1)
    var file = signature
    file += chunk("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 0, 0, 0, 0])
    file += chunk("IDAT", stored(pixels(width, height, &random)))
    file += chunk("IEND", [])
    return file
  }

  /// Rows of gray pixels, each preceded by filter type 0 (none).
  private static func pixels(
    _ width: Int,
    _ height: Int,
    _ random: inout RepeatableRandom
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((width + 1) * height)
    for _ in 0..<height {
      result.append(0)
      var bits: UInt64 = 0
      for column in 0..<width {
        if column.isMultiple(of: 8) { bits = random.next() }
        result.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
      }
    }
    return result
  }

  /// A zlib stream of stored blocks.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + blockSize, bytes.count)
      let length = UInt16(end - start)
      result.append(end == bytes.count ? 1 : 0)
      result += [UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
      result += [UInt8(truncatingIfNeeded: ~length), UInt8(~length >> 8)]
      result += bytes[start..<end]
      start = end
    } while start < bytes.count
    return result + bigEndian(adler32(bytes))
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + body + bigEndian(crc32(body))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var first: UInt32 = 1
    var second: UInt32 = 0
    for byte in bytes {
      first = (first + UInt32(byte)) % 65_521
      second = (second + first) % 65_521
    }
    return second << 16 | first
  }

  private static let crcTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1
    }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes { crc = crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8) }
    return ~crc
  }
}
