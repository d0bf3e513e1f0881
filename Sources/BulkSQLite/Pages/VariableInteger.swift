/// An integer of one to nine bytes, most significant first.
///
/// Source: “Record Format”, section 2.1 of SQLite's file format document.
enum VariableInteger {
  /// In bytes.
  static let most = 9

  @inline(__always)
  static func size(_ value: UInt64) -> Int {
    if value < 0x80 { return 1 }
    if value >> 56 != 0 { return 9 }
    return (70 - value.leadingZeroBitCount) / 7
  }

  /// Writes an integer, and returns the number of bytes.
  @inline(__always)
  @discardableResult
  static func write(_ value: UInt64, to target: UnsafeMutableRawPointer) -> Int {
    if value < 0x80 {
      target.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
      return 1
    }
    if value < 0x4000 {
      let both = UInt16(truncatingIfNeeded: value << 1 & 0x7F00 | value & 0x7F | 0x8000)
      target.storeBytes(of: both.bigEndian, as: UInt16.self)
      return 2
    }
    let size = size(value)
    var rest = value
    var index = size - 1
    if size == 9 {
      target.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: 8, as: UInt8.self)
      rest >>= 8
      index = 7
    }
    let last = size == 9 ? -1 : index
    while index >= 0 {
      let more: UInt8 = index == last ? 0 : 0x80
      target.storeBytes(
        of: UInt8(truncatingIfNeeded: rest & 0x7F) | more,
        toByteOffset: index,
        as: UInt8.self
      )
      rest >>= 7
      index -= 1
    }
    return size
  }
}
