/// A failure that SQLite reported, or a file that is not what SQLite expects.
package struct SQLiteError: Error, Equatable, Sendable {
  /// SQLite's extended result code.
  package let code: Int32
  /// What SQLite says of it.
  package let message: String
  /// The database file that was in use.
  package let path: String
  /// The statement that failed, where one did.
  package let sql: String?

  package init(code: Int32, message: String, path: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.sql = sql
  }

  /// The primary result code, without the extension.
  package var primaryCode: Int32 { code & 0xff }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    // What was found without a statement was found by this package, whose messages say it all.
    guard let sql else { return "\(path): \(message)" }
    return "\(path): \(message) (SQLite result \(code)) in: \(sql.prefix(400))"
  }
}

extension SQLiteError {
  /// Whether the disk is full.
  package var isDiskFull: Bool { primaryCode == 13 }

  /// Whether the file is damaged or no database at all.
  package var isCorruption: Bool { primaryCode == 11 || primaryCode == 26 }

  /// Whether a value or a record is larger than may be held.
  package var isTooLarge: Bool { primaryCode == 18 }

  /// Whether a statement was told to stop.
  package var isInterruption: Bool { primaryCode == 9 }
}
