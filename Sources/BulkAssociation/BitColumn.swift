/// Numbers of nearly the same size, each as its distance from the least in as few bits as the
/// greatest needs.
///
/// Layout: the least number (8 bytes, little-endian), the width in bits (1 byte, 0…64), then the
/// distances from the lowest bit of the first byte upwards, filled up to whole bytes.
enum BitColumn {
  static func encode(_ numbers: [Int64], into bytes: inout [UInt8]) {
    let least = numbers.min() ?? 0
    // The distance of two 64-bit numbers always fits into 64 bits without a sign.
    let range = UInt64(bitPattern: (numbers.max() ?? 0) &- least)
    let width = 64 - range.leadingZeroBitCount
    bytes.append(littleEndian: least)
    bytes.append(UInt8(width))
    guard width > 0 else { return }
    var word: UInt64 = 0
    var used = 0
    for number in numbers {
      let distance = UInt64(bitPattern: number &- least)
      word |= distance &<< UInt64(used)
      used += width
      guard used >= 64 else { continue }
      bytes.append(littleEndian: word)
      used -= 64
      word = used == 0 ? 0 : distance &>> UInt64(width - used)
    }
    Swift.withUnsafeBytes(of: word.littleEndian) {
      bytes.append(contentsOf: $0.prefix((used + 7) / 8))
    }
  }

  /// Reads a column; moves the offset behind it.
  ///
  /// - Returns: The numbers, or nothing if the bytes are no column of so many numbers.
  static func decode(_ count: Int, from bytes: [UInt8], at offset: inout Int) -> [Int64]? {
    guard offset + headerSize <= bytes.count else { return nil }
    let least = bytes.number(at: offset, as: Int64.self)
    let width = Int(bytes[offset + 8])
    let start = offset + headerSize
    guard width <= 64, start + (count * width + 7) / 8 <= bytes.count else { return nil }
    offset = start + (count * width + 7) / 8
    guard width > 0 else { return [Int64](repeating: least, count: count) }
    let mask = UInt64.max &>> UInt64(64 - width)
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map { index in
        let (byte, bit) = (index * width).quotientAndRemainder(dividingBy: 8)
        var distance = word(of: bytes, at: start + byte) &>> UInt64(bit)
        if bit + width > 64 {
          distance |= UInt64(bytes[start + byte + 8]) &<< UInt64(64 - bit)
        }
        return least &+ Int64(bitPattern: distance & mask)
      }
    }
  }

  /// Eight bytes from an offset, zero beyond the end.
  private static func word(of bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    if offset + 8 <= bytes.count {
      return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    return bytes[offset...].reversed().reduce(0) { $0 &<< 8 | UInt64($1) }
  }

  private static let headerSize = 9
}
