internal import BulkPlatform

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
  /// The error number of the system's call that failed; 0 where none did.
  package let systemError: Int32
  /// The function that a statement of somebody else's may not name, where that is what failed.
  package let refusedFunction: String?

  package init(
    code: Int32,
    message: String,
    path: String,
    sql: String? = nil,
    systemError: Int32 = 0,
    refusedFunction: String? = nil
  ) {
    self.refusedFunction = refusedFunction
    self.code = code
    self.systemError = systemError
    self.message = message
    self.path = path
    self.sql = sql
  }

  /// A failure that was found without SQLite, in the words of its result codes.
  package init(_ result: SQLiteResult, message: String, path: String) {
    self.init(code: result.rawValue, message: message, path: path)
  }

  /// What the result code says.
  package var result: SQLiteResult { SQLiteResult(code: code) }
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
  ///
  /// SQLite says so of a write only; of a sync or of a file that cannot be made the system knows. A file
  /// that may not grow counts as well.
  package var isDiskFull: Bool {
    result == .full || [ENOSPC, EDQUOT, EFBIG].contains(systemError)
  }

  /// What SQLite says, and what the system says where a call of it failed.
  package var reason: String {
    guard systemError != 0 else { return message }
    return "\(message): \(String(cString: strerror(systemError)))"
  }
}
