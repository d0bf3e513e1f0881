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

  /// The type as which SQLite stores an integer, and the bytes that it takes; 0 and 1 may take none.
  @inline(__always)
  static func stored(_ value: Int64, isShort: Bool) -> (type: UInt8, size: Int) {
    let magnitude = UInt64(bitPattern: value < 0 ? ~value : value)
    if magnitude <= 127 {
      return isShort && value >= 0 && value <= 1
        ? (8 + UInt8(truncatingIfNeeded: value), 0) : (1, 1)
    }
    if magnitude <= 32_767 { return (2, 2) }
    if magnitude <= 8_388_607 { return (3, 3) }
    if magnitude <= 2_147_483_647 { return (4, 4) }
    return magnitude <= 140_737_488_355_327 ? (5, 6) : (6, 8)
  }

  /// The type of an integer or of NULL.
  init(_ number: UInt8) { self.number = UInt32(number) }

  @inline(__always)
  var length: Int { Self.length(UInt64(number)) }

  @inline(__always)
  static func length(_ type: UInt64) -> Int {
    // Four bits for each of the types 0 to 9: 0, 1, 2, 3, 4, 6, 8, 8, 0 and 0 bytes.
    type < 12
      ? (0x00_8864_3210 >> (4 * Int(truncatingIfNeeded: type))) & 0xF
      : Int(truncatingIfNeeded: (type - 12) / 2)
  }

  var storageClass: Statement.StorageClass {
    if number >= 12 { return number.isMultiple(of: 2) ? .blob : .text }
    if number == 7 { return .real }
    return number == 0 ? .null : .integer
  }

  /// Decodes an integer at a position in a record, which must have ``length`` bytes there.
  @inline(__always)
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

/// The fields of a record, one after the other.
struct RecordFields {
  private let bytes: PageBytes
  private(set) var offset: Int
  let end: Int
  private var place: Int

  /// Begins to read a record, whose last bytes may be missing.
  init(_ bytes: PageBytes, at start: Int = 0) throws(TreeDamage) {
    self.bytes = bytes
    offset = start
    let size = try bytes.variable(at: &offset)
    guard size <= UInt64(Int32.max) else { throw TreeDamage() }
    end = start + Int(size)
    place = end
  }

  /// `nil` after the last field.
  mutating func next() throws(TreeDamage) -> (type: SerialType, place: Int)? {
    guard offset < end else { return nil }
    guard let type = SerialType(try bytes.variable(at: &offset)) else { throw TreeDamage() }
    defer { place += type.length }
    return (type, place)
  }
}
