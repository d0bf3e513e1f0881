internal import BulkPlatform

/// A failure that SQLite reported, or a file that cannot be used: by SQLite, or by a layer above
/// because of its contents.
package struct SQLiteError: Error, Equatable, Sendable {
  /// The subject of a message.
  package enum Subject: Sendable {
    case file
    /// The contents of the file; the message is a sentence that names the file.
    case contents
    /// A checkpoint that cannot be written.
    case checkpoint
  }

  /// SQLite's extended result code.
  package let code: Int32
  package let message: String
  /// The database file that was in use.
  package let path: String
  /// The statement that failed, where one did.
  package let sql: String?
  /// The error number of the system call that failed; 0 if none did.
  package let systemError: Int32
  /// The function that an untrusted statement may not call, if that is the failure.
  package internal(set) var refusedFunction: String?
  package let subject: Subject

  package init(
    code: Int32,
    message: String,
    path: String,
    sql: String? = nil,
    systemError: Int32 = 0
  ) {
    (self.code, self.message, self.path, self.sql) = (code, message, path, sql)
    (self.systemError, subject) = (systemError, .file)
  }

  /// A failure found without SQLite, expressed with SQLite's result codes.
  package init(_ result: SQLiteResult, message: String, path: String, subject: Subject = .file) {
    (code, self.message, self.path, self.subject) = (result.rawValue, message, path, subject)
    (sql, systemError) = (nil, 0)
  }

  /// The meaning of the result code.
  package var result: SQLiteResult { SQLiteResult(code: code) }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    switch subject {
    case .contents: return message
    case .checkpoint: return "\(path) cannot be written: \(message)"
    case .file: break
    }
    // Errors without a statement come from this package, whose messages are complete.
    guard let sql else { return "\(path): \(message)" }
    return "\(path): \(message) (SQLite result \(code)) in: \(sql.prefix(400))"
  }
}

extension SQLiteError {
  /// Whether the disk is full.
  ///
  /// SQLite reports it for writes only; for a sync or the creation of a file, the system's error number
  /// shows it. A file that has reached its size limit counts as well.
  package var isDiskFull: Bool {
    result == .full || [ENOSPC, EDQUOT, EFBIG].contains(systemError)
  }

  /// The message without file and statement, with the system's if a system call failed.
  package var text: String {
    guard subject == .file else { return description }
    guard systemError != 0 else { return message }
    return "\(message): \(String(cString: strerror(systemError)))"
  }
}

/// The meaning of a primary result code of SQLite, where this package distinguishes it.
///
/// The raw value is the code. Source: https://sqlite.org/rescode.html.
package enum SQLiteResult: Int32, Sendable {
  /// The program has violated a rule of SQLite's interface.
  case malfunction = 2
  /// Another connection has the file locked.
  case busy = 5
  /// A statement was interrupted.
  case interrupted = 9
  /// The file cannot be read or written.
  case inputOutput = 10
  /// The file is corrupt.
  case corrupt = 11
  /// The disk is full.
  case full = 13
  /// The file cannot be opened.
  case cannotOpen = 14
  /// A value or a record exceeds the size limit.
  case tooBig = 18
  /// A row violates a constraint of its table.
  case constraint = 19
  /// A value has the wrong type, such as a key that is not an integer.
  case mismatch = 20
  /// A statement is not authorized.
  case notAuthorized = 23
  /// The file is not a database.
  case notADatabase = 26
  case other = 1

  /// The meaning of a primary or extended result code.
  init(code: Int32) { self = Self(rawValue: code & 0xff) ?? .other }
}
