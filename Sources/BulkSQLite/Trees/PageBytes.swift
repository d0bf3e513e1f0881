/// Bytes of a page, none of which is believed to be there.
struct PageBytes {
  let bytes: UnsafeRawBufferPointer

  var count: Int { bytes.count }

  /// A byte.
  func byte(at offset: Int) throws(TreeDamage) -> UInt8 {
    guard offset >= 0, offset < bytes.count else { throw TreeDamage() }
    return bytes[offset]
  }

  /// A number of two bytes, the higher first.
  func number16(at offset: Int) throws(TreeDamage) -> Int {
    guard offset >= 0, offset <= bytes.count - 2 else { throw TreeDamage() }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  /// A number of four bytes, the highest first.
  func number32(at offset: Int) throws(TreeDamage) -> UInt32 {
    guard offset >= 0, offset <= bytes.count - 4 else { throw TreeDamage() }
    return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// A number of one to nine bytes, which moves the offset behind it.
  func variable(at offset: inout Int) throws(TreeDamage) -> UInt64 {
    var result: UInt64 = 0
    for _ in 0..<8 {
      let byte = try byte(at: offset)
      offset += 1
      result = result << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return result }
    }
    let last = try byte(at: offset)
    offset += 1
    return result << 8 | UInt64(last)
  }

  /// A part of the bytes.
  func part(from offset: Int, count: Int) throws(TreeDamage) -> UnsafeRawBufferPointer {
    guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else {
      throw TreeDamage()
    }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
  }
}
