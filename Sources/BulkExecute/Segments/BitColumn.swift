/// Numbers of nearly the same size, each stored as its distance from the least, in as few bits as the
/// greatest distance needs.
///
/// Layout: the least number (8 bytes, little-endian), the width in bits (1 byte, 0…64), then the
/// distances from the lowest bit of the first byte upwards, filled up to whole bytes.
enum BitColumn {
  private static let headerSize = 9

  static func encode(_ numbers: [Int64], into bytes: inout [UInt8]) {
    encode(numbers.count, into: &bytes) { numbers[$0] }
  }

  /// The numbers are read twice, by their indexes.
  @inline(__always)
  static func encode(_ count: Int, into bytes: inout [UInt8], _ number: (Int) -> Int64) {
    var (least, greatest) = count > 0 ? (number(0), number(0)) : (0, 0)
    for index in 0..<count {
      least = min(least, number(index))
      greatest = max(greatest, number(index))
    }
    // The distance between two 64-bit numbers always fits into 64 unsigned bits.
    let width = 64 - UInt64(bitPattern: greatest &- least).leadingZeroBitCount
    bytes.append(littleEndian: least)
    bytes.append(UInt8(width))
    guard width > 0 else { return }
    var word: UInt64 = 0
    var used = 0
    for index in 0..<count {
      let distance = UInt64(bitPattern: number(index) &- least)
      word |= distance &<< UInt64(used)
      used += width
      guard used >= 64 else { continue }
      bytes.append(littleEndian: word)
      used -= 64
      word = used == 0 ? 0 : distance &>> UInt64(width - used)
    }
    unsafe Swift.withUnsafeBytes(of: word.littleEndian) {
      unsafe bytes.append(contentsOf: $0.prefix((used + 7) / 8))
    }
  }

  /// Moves the offset past the column; `nil` if the bytes are not a column of that many numbers.
  static func decode(_ count: Int, from bytes: [UInt8], at offset: inout Int) -> [Int64]? {
    var isColumn = false
    let numbers = unsafe [Int64](unsafeUninitializedCapacity: count) { buffer, filled in
      isColumn = unsafe bytes.withUnsafeBytes { bytes in
        unsafe decode(count, from: bytes, at: &offset) {
          unsafe buffer.initializeElement(at: $0, to: $1)
        }
      }
      filled = isColumn ? count : 0
    }
    return isColumn ? numbers : nil
  }

  /// Hands on the numbers with their indexes, and moves the offset past them.
  ///
  /// Returns whether the bytes are a column of that many numbers; if not, none is handed on.
  @inline(__always)
  static func decode(
    _ count: Int,
    from bytes: UnsafeRawBufferPointer,
    at offset: inout Int,
    _ body: (Int, Int64) -> Void
  ) -> Bool {
    let start = offset + headerSize
    guard start <= bytes.count else { return false }
    let least = unsafe Int64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self)
    )
    let width = unsafe Int(bytes[offset + 8])
    guard width <= 64, start + (count * width + 7) / 8 <= bytes.count else { return false }
    offset = start + (count * width + 7) / 8
    // A width of 0 takes no bit of any word.
    let mask = width == 0 ? 0 : UInt64.max &>> UInt64(64 - width)
    for index in 0..<count {
      let (byte, bit) = (start + index * width / 8, index * width & 7)
      var distance = unsafe word(of: bytes, at: byte) &>> UInt64(bit)
      if bit + width > 64 { unsafe distance |= UInt64(bytes[byte + 8]) &<< UInt64(64 - bit) }
      body(index, least &+ Int64(bitPattern: distance & mask))
    }
    return true
  }

  /// Eight bytes at an offset, zero beyond the end.
  @inline(__always)
  private static func word(of bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    if offset + 8 <= bytes.count {
      return unsafe UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      )
    }
    return unsafe bytes[offset...].reversed().reduce(0) { $0 &<< 8 | UInt64($1) }
  }
}

extension [UInt8] {
  /// Least significant first.
  mutating func append(littleEndian number: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// Bytes beyond the end are zero.
  func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number {
    var number = Number.zero
    unsafe Swift.withUnsafeMutableBytes(of: &number) { target in
      let end = Swift.min(count, offset + target.count)
      if offset < end { unsafe target.copyBytes(from: self[offset..<end]) }
    }
    return Number(littleEndian: number)
  }
}
