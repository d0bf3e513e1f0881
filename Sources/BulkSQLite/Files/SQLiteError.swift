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

/// What a primary result code of SQLite says, as far as this package tells results apart.
///
/// The raw value is the code. Source: https://sqlite.org/rescode.html.
package enum SQLiteResult: Int32, Sendable {
  /// Another connection has the file locked.
  case busy = 5
  /// A statement was told to stop.
  case interrupted = 9
  /// The file cannot be read or written.
  case inputOutput = 10
  /// The file is damaged.
  case corrupt = 11
  /// The disk is full.
  case full = 13
  /// The file cannot be opened.
  case cannotOpen = 14
  /// A value or a record is larger than may be held.
  case tooBig = 18
  /// A row breaks a rule of its table.
  case constraint = 19
  /// A value has the wrong type, such as a key that is no integer.
  case mismatch = 20
  /// A statement wants more than it may do.
  case notAuthorized = 23
  /// The file is no database.
  case notADatabase = 26
  /// Something else.
  case other = 1

  /// What a primary or extended result code says.
  init(code: Int32) { self = Self(rawValue: code & 0xff) ?? .other }
}
