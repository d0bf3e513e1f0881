/// The type of a field in a record.
///
/// Source: “Record Format”, section 2.1 of SQLite's file format document.
struct SerialType: Equatable {
  private let number: UInt32

  /// A type by its number; `nil` for the two reserved numbers and for lengths that no file can have.
  init?(_ number: UInt64) {
    guard number != 10, number != 11, number <= UInt64(UInt32.max) else { return nil }
    self.number = UInt32(truncatingIfNeeded: number)
  }

  static let null = SerialType(unchecked: 0)

  private init(unchecked number: UInt32) { self.number = number }

  /// The size of the value in bytes.
  var length: Int {
    // Four bits for each of the types 0 to 9: 0, 1, 2, 3, 4, 6, 8, 8, 0 and 0 bytes.
    number < 12
      ? (0x00_8864_3210 >> (4 * Int(number))) & 0xF : Int((number - 12) / 2)
  }

  /// The class of the value.
  var storageClass: Statement.StorageClass {
    if number >= 12 { return number.isMultiple(of: 2) ? .blob : .text }
    if number == 7 { return .real }
    return number == 0 ? .null : .integer
  }

  /// Decodes an integer from exactly ``length`` bytes.
  func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    integer(bytes, at: 0)
  }

  /// Decodes an integer at a position in a record, which must have ``length`` bytes there.
  func integer(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int64 {
    let length = length
    guard length > 0 else { return number == 9 ? 1 : 0 }
    let unused = Int64(64 - 8 * length)
    let end = place + length
    if end >= 8 {
      // The value is at the end of an eight-byte word; the bytes before it are shifted out.
      let word = bytes.loadUnaligned(fromByteOffset: end - 8, as: Int64.self)
      return (Int64(bigEndian: word) << unused) >> unused
    }
    var value: Int64 = 0
    for index in place..<end { value = value << 8 | Int64(bytes[index]) }
    return (value << unused) >> unused
  }
}
