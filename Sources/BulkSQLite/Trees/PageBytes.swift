/// Bytes of a page; every access is bounds-checked.
struct PageBytes {
  let bytes: UnsafeRawBufferPointer

  var count: Int { bytes.count }

  /// A byte.
  func byte(at offset: Int) throws(TreeDamage) -> UInt8 {
    guard offset >= 0, offset < bytes.count else { throw TreeDamage() }
    return bytes[offset]
  }

  /// A big-endian number of two bytes.
  func number16(at offset: Int) throws(TreeDamage) -> Int {
    guard offset >= 0, offset <= bytes.count - 2 else { throw TreeDamage() }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  /// A big-endian number of four bytes.
  func number32(at offset: Int) throws(TreeDamage) -> UInt32 {
    guard offset >= 0, offset <= bytes.count - 4 else { throw TreeDamage() }
    return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// A number of one to nine bytes; moves the offset past it.
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

  /// A range of the bytes.
  func part(from offset: Int, count: Int) throws(TreeDamage) -> UnsafeRawBufferPointer {
    guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else {
      throw TreeDamage()
    }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
  }
}
