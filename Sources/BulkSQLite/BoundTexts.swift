internal import CBulkSQLite

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
    let place = start + used
    UnsafeMutableRawBufferPointer(start: place, count: bytes.count).copyBytes(from: bytes)
    used += bytes.count
    return place
  }
}

extension Statement {
  /// Binds a value to a parameter; a text is copied to `texts` if it fits there, and any other value by SQLite.
  package func bind(
    _ value: SQLiteValue,
    at parameter: Int32,
    with texts: BoundTexts
  ) throws(SQLiteError) {
    guard case .text(var text) = value, let place = text.withUTF8(texts.add) else {
      return try bind(value, at: parameter)
    }
    let code = sqlite3_bind_text64(
      handle,
      parameter,
      place.assumingMemoryBound(to: CChar.self),
      sqlite3_uint64(text.utf8.count),
      nil,
      UInt8(SQLITE_UTF8)
    )
    guard code == SQLITE_OK else { throw connection.lastError() }
  }
}
