/// A value of a record: its type, and the offset of its first byte; NULL where the record has none.
///
/// Source: “Record Format”, section 2.1 of SQLite's file format document.
struct RecordField {
  var type: UInt64 = 0
  var start = 0

  @inline(__always)
  var length: Int { Self.length(type) }

  @inline(__always)
  static func length(_ type: UInt64) -> Int {
    // Four bits for each of the types 0 to 9: 0, 1, 2, 3, 4, 6, 8, 8, 0 and 0 bytes.
    type < 12
      ? (0x00_8864_3210 >> (4 * Int(truncatingIfNeeded: type))) & 0xF
      : Int(truncatingIfNeeded: (type - 12) / 2)
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

  @inline(__always)
  var isInteger: Bool { type > 0 && type < 10 && type != 7 }
  var isText: Bool { type > 12 && !type.isMultiple(of: 2) }

  /// `nil` for anything but an integer; the record has all its bytes.
  @inline(__always)
  func number(_ record: UnsafeRawBufferPointer) -> Int64? { isInteger ? integer(record) : nil }

  /// The value of an integer; the record has all its bytes.
  @inline(__always)
  func integer(_ record: UnsafeRawBufferPointer) -> Int64 {
    let length = length
    guard length > 0 else { return type == 9 ? 1 : 0 }
    let unused = Int64(64 - 8 * length)
    let end = start + length
    if end >= 8 {
      // The value is at the end of an eight-byte word; the bytes before it are shifted out.
      let word = record.loadUnaligned(fromByteOffset: end - 8, as: Int64.self)
      return (Int64(bigEndian: word) << unused) >> unused
    }
    var value: Int64 = 0
    for index in start..<end { value = value << 8 | Int64(record[index]) }
    return (value << unused) >> unused
  }

  func real(_ record: UnsafeRawBufferPointer) -> Double {
    let bits = record.loadUnaligned(fromByteOffset: start, as: UInt64.self)
    return Double(bitPattern: UInt64(bigEndian: bits))
  }
}

/// Finds the first values in one record after another.
struct RecordFields: ~Copyable {
  /// The values of the current record, by column.
  let all: UnsafeMutableBufferPointer<RecordField>

  /// The maximum number of columns that SQLite allows in an index or a table, as it is usually built.
  static let most = 2_001

  init(first count: Int) {
    all = .allocate(capacity: count)
    all.initialize(repeating: RecordField())
  }

  deinit { all.deallocate() }

  /// Finds the values of a record whose last bytes may be missing.
  ///
  /// Returns how many were found, where the last one ends, and whether the header has no more.
  @inline(__always)
  func find(
    in record: UnsafeRawBufferPointer
  ) throws(TreeDamage) -> (count: Int, end: Int, areAll: Bool) {
    let bytes = PageBytes(bytes: record)
    var offset = 0
    let size = try bytes.variable(at: &offset)
    guard size >= UInt64(offset), size <= UInt64(Int32.max) else { throw TreeDamage() }
    let header = Int(size)
    let last = min(header, record.count)
    var end = header
    var count = 0
    while count < all.count, offset < last {
      let type = try bytes.variable(at: &offset)
      // Two numbers are reserved, and no file can have values that are as long as others say.
      guard type != 10, type != 11, type <= UInt64(UInt32.max) else { throw TreeDamage() }
      let field = RecordField(type: type, start: end)
      all[count] = field
      end += field.length
      count += 1
    }
    guard offset <= header else { throw TreeDamage() }
    return (count, end, offset == header)
  }
}
