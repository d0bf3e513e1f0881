internal import CBulkSQLite

/// A prepared statement, finalized when it goes out of scope.
///
/// Parameters are numbered from 1 and columns from 0, as in SQLite.
package struct Statement: ~Copyable {
  package enum StorageClass: Int32, Sendable {
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
    case null = 5
  }

  let handle: OpaquePointer
  let connection: Connection

  init(handle: OpaquePointer, connection: Connection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  package var columnCount: Int32 { sqlite3_column_count(handle) }

  /// Binds a value to a parameter, copying it; a streamed value is bound as that many zeros.
  package func bind(_ value: SQLiteValue, at parameter: Int32) throws(SQLiteError) {
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, parameter)
      case .integer(let number): sqlite3_bind_int64(handle, parameter, number)
      case .real(let number): sqlite3_bind_double(handle, parameter, number)
      case .text(let text): bind(text: text, at: parameter)
      case .blob(let bytes): bind(blob: bytes, at: parameter)
      case .streamed(let value):
        sqlite3_bind_zeroblob64(handle, parameter, sqlite3_uint64(value.count))
      }
    guard code == SQLITE_OK else { throw connection.lastError() }
  }

  package func bind(_ values: [SQLiteValue], from first: Int32 = 1) throws(SQLiteError) {
    for (value, parameter) in zip(values, first...) { try bind(value, at: parameter) }
  }

  /// Binds the ends of a range to the first two parameters.
  package func bind(_ range: ClosedRange<Int64>) throws(SQLiteError) {
    try bind(.integer(range.lowerBound), at: 1)
    try bind(.integer(range.upperBound), at: 2)
  }

  /// Binds a blob of zeros, which takes no memory.
  package func bind(zeros count: Int, at parameter: Int32) throws(SQLiteError) {
    guard sqlite3_bind_zeroblob64(handle, parameter, sqlite3_uint64(count)) == SQLITE_OK else {
      throw connection.lastError()
    }
  }

  private func bind(text: String, at parameter: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      // A nil pointer would bind NULL instead of an empty text.
      guard let base = bytes.baseAddress else {
        return sqlite3_bind_text(handle, parameter, "", 0, bulk_sqlite_transient())
      }
      return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        sqlite3_bind_text64(
          handle,
          parameter,
          $0,
          sqlite3_uint64(bytes.count),
          bulk_sqlite_transient(),
          UInt8(SQLITE_UTF8)
        )
      }
    }
  }

  private func bind(blob: [UInt8], at parameter: Int32) -> Int32 {
    blob.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return sqlite3_bind_zeroblob(handle, parameter, 0) }
      return sqlite3_bind_blob64(
        handle,
        parameter,
        base,
        sqlite3_uint64(bytes.count),
        bulk_sqlite_transient()
      )
    }
  }

  /// Returns whether there is another row.
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.lastError(sql: sqlite3_sql(handle).map { String(cString: $0) })
    }
  }

  /// The integer is `nil` after the last row, or for a value of another kind.
  package func nextInteger() throws(SQLiteError) -> Int64? {
    guard try step(), storageClass(at: 0) == .integer else { return nil }
    return int64(at: 0)
  }

  package func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Resets the statement for the next run; parameters keep their values, except texts in ``BoundTexts``.
  package func reset() { sqlite3_reset(handle) }

  package func name(at column: Int32) -> String {
    sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
  }

  package func storageClass(at column: Int32) -> StorageClass {
    StorageClass(rawValue: sqlite3_column_type(handle, column)) ?? .null
  }

  /// A column as an integer; 0 if it is NULL or not a number.
  package func int64(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  package func double(at column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// A column as text, with malformed UTF-8 repaired; empty if it is NULL.
  package func text(at column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// A column as bytes; empty if it is NULL.
  package func blob(at column: Int32) -> [UInt8] {
    guard let base = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return [UInt8](UnsafeRawBufferPointer(start: base, count: count))
  }

  /// The bytes are valid until the next row; a text is in the encoding of the database.
  @inline(__always)
  func bytes(at column: Int32) -> UnsafeRawBufferPointer {
    let base = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The bytes are valid until the next row.
  func utf8(at column: Int32) -> UnsafeRawBufferPointer {
    let base = sqlite3_column_text(handle, column)
    return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
  }

  package func value(at column: Int32) -> SQLiteValue {
    switch storageClass(at: column) {
    case .null: .null
    case .integer: .integer(int64(at: column))
    case .real: .real(double(at: column))
    case .text: .text(text(at: column))
    case .blob: .blob(blob(at: column))
    }
  }
}

/// Every name and text in a statement is quoted here.
package enum SQLText {
  package static func quoted(_ identifier: String) -> String { wrapped(identifier, in: "\"") }

  /// A text literal in single quotes; the text must not hold a NUL.
  package static func quoted(literal text: String) -> String { wrapped(text, in: "'") }

  private static func wrapped(_ text: String, in quote: String) -> String {
    var result = quote
    for scalar in text.unicodeScalars {
      if String(scalar) == quote { result += quote }
      result.unicodeScalars.append(scalar)
    }
    return result + quote
  }
}

/// Holds the texts of a row while a statement inserts it, as far as they fit into 4,096 bytes.
///
/// SQLite would allocate memory for each text of each row. The statement must not run after this memory is gone.
package final class BoundTexts {
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
  private var used = 0

  package init() {}

  deinit { memory.deallocate() }

  /// Forgets the texts of the row before; their parameters must be bound again before the statement runs.
  package func removeAll() { used = 0 }

  /// Copies a text, and returns where it lies, or `nil` if it does not fit.
  fileprivate func add(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeMutableRawPointer? {
    guard let start = memory.baseAddress, bytes.count <= memory.count - used else { return nil }
    let address = start + used
    UnsafeMutableRawBufferPointer(start: address, count: bytes.count).copyBytes(from: bytes)
    used += bytes.count
    return address
  }
}

extension Statement {
  /// Binds a value to a parameter; a text is copied to `texts` if it fits there, and any other value by SQLite.
  package func bind(
    _ value: SQLiteValue,
    at parameter: Int32,
    with texts: BoundTexts
  ) throws(SQLiteError) {
    guard case .text(var text) = value, let address = text.withUTF8(texts.add) else {
      return try bind(value, at: parameter)
    }
    let code = sqlite3_bind_text64(
      handle,
      parameter,
      address.assumingMemoryBound(to: CChar.self),
      sqlite3_uint64(text.utf8.count),
      nil,
      UInt8(SQLITE_UTF8)
    )
    guard code == SQLITE_OK else { throw connection.lastError() }
  }
}
