/// The type of a field in a record.
///
/// Source: “Record Format”, section 2.1 of SQLite's file format document.
struct SerialType: Equatable {
  private let number: UInt32

  /// A type by its number; `nil` for the two that are reserved and for lengths that no file has.
  init?(_ number: UInt64) {
    guard number != 10, number != 11, number <= UInt64(UInt32.max) else { return nil }
    self.number = UInt32(truncatingIfNeeded: number)
  }

  static let null = SerialType(unchecked: 0)

  private init(unchecked number: UInt32) { self.number = number }

  /// The bytes of the value.
  var length: Int {
    switch number {
    case 0, 8, 9: 0
    case 1...4: Int(number)
    case 5: 6
    case 6, 7: 8
    default: Int((number - 12) / 2)
    }
  }

  /// The class of the value.
  var storageClass: Statement.StorageClass {
    switch number {
    case 0: .null
    case 7: .real
    case 1...9: .integer
    default: number.isMultiple(of: 2) ? .blob : .text
    }
  }

  /// A whole number in its bytes, of which there must be ``length``.
  func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    if number == 8 { return 0 }
    if number == 9 { return 1 }
    guard let first = bytes.first else { return 0 }
    var value = Int64(Int8(bitPattern: first))
    for index in 1..<bytes.count { value = value << 8 | Int64(bytes[index]) }
    return value
  }
}
