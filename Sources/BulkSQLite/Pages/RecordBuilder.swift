/// Builds records of one table, column by column, as SQLite would store them.
///
/// Source: “Record Format”, section 2.1 of SQLite's file format document; the conversion to a column's
/// affinity follows section 3 of its datatype document.
struct RecordBuilder: ~Copyable {
  private let affinities: [ColumnAffinity]
  private let hasShortIntegers: Bool
  private let types: UnsafeMutableBufferPointer<UInt64>
  private let integers: UnsafeMutableBufferPointer<Int64>
  /// A bit for each column that was NULL in a record so far; the last one is that of all further columns.
  private(set) var nulls: UInt64 = 0
  private var count = 0
  /// The content of the record follows as many bytes as its header may take.
  private var buffer: UnsafeMutableRawBufferPointer
  private let headerSpace: Int
  private var end: Int
  /// The source record, if all of its values are kept as they are.
  private var kept: UnsafeRawBufferPointer?

  /// The bytes by which the buffer exceeds its need when it grows.
  private static let slack = 4096

  /// The affinities are in the order of the table.
  init(_ affinities: [ColumnAffinity], _ layout: PageLayout) {
    self.affinities = affinities
    hasShortIntegers = layout.hasShortIntegers
    types = .allocate(capacity: affinities.count)
    integers = .allocate(capacity: affinities.count)
    integers.initialize(repeating: 0)
    headerSpace = VariableInteger.most * (affinities.count + 1)
    end = headerSpace
    buffer = .allocate(byteCount: headerSpace + Self.slack, alignment: 16)
  }

  deinit {
    types.deallocate()
    integers.deallocate()
    buffer.deallocate()
  }

  @inline(__always)
  mutating func begin() {
    count = 0
    end = headerSpace
    kept = nil
  }

  @inline(__always)
  mutating func addNull() {
    nulls |= 1 << UInt64(min(count, 63))
    add(type: 0)
  }

  @inline(__always)
  mutating func add(_ value: Int64) {
    integers[count] = value
    let (type, size) = RecordField.stored(value, isShort: hasShortIntegers)
    if size == 0 {
      add(type: UInt64(type))
    } else if size == 8, affinities[count] == .real {
      add(Int64(bitPattern: Double(value).bitPattern), bytes: 8, type: 7)
    } else {
      add(value, bytes: size, type: UInt64(type))
    }
  }

  @inline(__always)
  mutating func add(orNull value: Int64?) {
    if let value { add(value) } else { addNull() }
  }

  @inline(__always)
  mutating func add(_ value: Double) {
    if value.isNaN { return addNull() }
    if affinities[count] != .blob, let whole = Int64(exactly: value), whole != .min {
      // A large one that is stored as a number of eight bytes stays real in a column of reals.
      return add(whole)
    }
    add(Int64(bitPattern: value.bitPattern), bytes: 8, type: 7)
  }

  /// The text is UTF-8.
  @inline(__always)
  mutating func add(text: UnsafeRawBufferPointer) {
    add(type: 13 + 2 * UInt64(text.count))
    add(text)
  }

  mutating func add(text: String) {
    var text = text
    text.withUTF8 { add(text: UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  mutating func add(blob: UnsafeRawBufferPointer) {
    add(type: 12 + 2 * UInt64(blob.count))
    add(blob)
  }

  /// Adds a value, and returns whether the column has it as it is.
  mutating func add(_ value: SQLiteValue) -> Bool {
    let affinity = affinities[count]
    switch value {
    case .null: addNull()
    case .integer(let number) where affinity != .text: add(number)
    case .real(let number) where affinity != .text: add(number)
    case .text(let text) where affinity == .text || affinity == .blob: add(text: text)
    case .blob(let blob): blob.withUnsafeBytes { add(blob: $0) }
    case .integer, .real, .text, .streamed: return false
    }
    return true
  }

  /// Adds an integer that another record has as some type, without its bytes, if this one would have it so, too.
  @inline(__always)
  mutating func keep(_ value: Int64, as type: UInt64) -> Bool {
    let stored = RecordField.stored(value, isShort: hasShortIntegers)
    let affinity = affinities[count]
    guard stored.type == type, affinity != .text, affinity != .real || stored.size < 8 else {
      return false
    }
    integers[count] = value
    add(type: type)
    return true
  }

  /// Adds a number that another record has as a real one, as ``keep(_:as:)`` does.
  @inline(__always)
  mutating func keep(_ value: Double) -> Bool {
    let affinity = affinities[count]
    let isInteger = affinity != .blob && Int64(exactly: value).map { $0 != .min } ?? false
    guard affinity != .text, !value.isNaN, !isInteger else { return false }
    add(type: 7)
    return true
  }

  /// Adds a text or a blob by its type, as ``keep(_:as:)`` does.
  @inline(__always)
  mutating func keep(bytesAs type: UInt64) -> Bool {
    let affinity = affinities[count]
    guard type.isMultiple(of: 2) || affinity == .text || affinity == .blob else { return false }
    add(type: type)
    return true
  }

  /// Takes the bytes of another record, all of whose values were kept, and returns whether its header is the one that
  /// this would get; they must stay until the next record begins.
  @inline(__always)
  mutating func keep(record: UnsafeRawBufferPointer, headerSize: Int) -> Bool {
    guard self.headerSize() == headerSize else { return false }
    kept = record
    return true
  }

  /// The word of a column of the record, as ``EntryOrder`` has it; `nil` if its value is not an
  /// integer, or the least one.
  @inline(__always)
  func word(at column: Int) -> UInt64? {
    let type = types[column]
    if type == 0 { return 0 }
    guard type < 10, type != 7, integers[column] != .min else { return nil }
    return EntryOrder.word(of: integers[column])
  }

  @inline(__always)
  mutating func record() -> UnsafeRawBufferPointer {
    assert(count == affinities.count, "a record has a value for every column")
    if let kept { return kept }
    let whole = headerSize()
    let start = headerSpace - whole
    guard let base = buffer.baseAddress else { return UnsafeRawBufferPointer(buffer) }
    var target = base + start
    target += VariableInteger.write(UInt64(whole), to: target)
    for index in 0..<count { target += VariableInteger.write(types[index], to: target) }
    return UnsafeRawBufferPointer(buffer.part(start..<end))
  }

  @inline(__always)
  private func headerSize() -> Int {
    var size = 0
    for index in 0..<count { size += VariableInteger.size(types[index]) }
    // The size includes itself.
    return size < 127 ? size + 1 : size + VariableInteger.size(UInt64(size + 2))
  }

  @inline(__always)
  private mutating func add(type: UInt64) {
    // One type more would be written past the space for them.
    assert(count < affinities.count, "a record has no more values than its table has columns")
    types[count] = type
    count += 1
  }

  @inline(__always)
  private mutating func add(_ value: Int64, bytes size: Int, type: UInt64) {
    add(type: type)
    if end + 8 > buffer.count { grow(by: 8) }
    // The most significant bytes are shifted out, and what follows is overwritten.
    let word = (value << Int64(64 - 8 * size)).bigEndian
    buffer.storeBytes(of: word, toByteOffset: end, as: Int64.self)
    end += size
  }

  @inline(__always)
  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if end + bytes.count > buffer.count { grow(by: bytes.count) }
    if let base = bytes.baseAddress, let target = buffer.baseAddress {
      (target + end).copyMemory(from: base, byteCount: bytes.count)
    }
    end += bytes.count
  }

  private mutating func grow(by size: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: end + size + Self.slack,
      alignment: 16
    )
    larger.copyMemory(from: UnsafeRawBufferPointer(buffer.part(0..<end)))
    buffer.deallocate()
    buffer = larger
  }
}

/// Converts single values to the affinity of a column as SQLite does, by letting it do so in memory.
///
/// Only texts that may be numbers, and numbers for columns of text, need this.
final class AffinityConversion {
  private let connection: Connection

  init() throws(SQLiteError) {
    connection = try Connection(path: "the conversion of values", access: .memory)
    try connection.execute("CREATE TABLE v (t TEXT, i INTEGER, n NUMERIC, r REAL)")
    try connection.execute("INSERT INTO v VALUES (NULL, NULL, NULL, NULL)")
  }

  func value(_ value: SQLiteValue, as affinity: ColumnAffinity) throws(SQLiteError) -> SQLiteValue {
    let column: String
    switch affinity {
    case .blob: return value
    case .text: column = "t"
    case .integer: column = "i"
    case .numeric: column = "n"
    case .real: column = "r"
    }
    let update = try connection.prepare("UPDATE v SET \(column) = ?1")
    try update.bind(value, at: 1)
    try update.run()
    return try connection.value("SELECT \(column) FROM v") ?? .null
  }
}
