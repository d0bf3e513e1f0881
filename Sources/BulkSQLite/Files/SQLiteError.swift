internal import BulkSupport

/// A failure that SQLite reported, or a file that cannot be used: by SQLite, or by a layer above
/// because of its contents.
package struct SQLiteError: Error, Equatable, Sendable {
  package enum Subject: Sendable {
    case file
    /// The contents of the file; the message is a sentence that names the file.
    case contents
    case checkpoint
  }

  /// SQLite's extended result code.
  package let code: Int32
  package let message: String
  package let path: String
  package let sql: String?
  /// The error number of the system call that failed; 0 if none did.
  package let systemError: Int32
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

  package init(_ result: SQLiteResult, message: String, path: String, subject: Subject = .file) {
    (code, self.message, self.path, self.subject) = (result.rawValue, message, path, subject)
    (sql, systemError) = (nil, 0)
  }

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
    result == .full || SQLiteResult.isFull(systemError)
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
  /// SQLite has found a fault in itself.
  case malfunction = 2
  case busy = 5
  case interrupted = 9
  case inputOutput = 10
  case corrupt = 11
  case full = 13
  case cannotOpen = 14
  /// A value or a record exceeds the size limit.
  case tooBig = 18
  case constraint = 19
  /// A value has the wrong type, such as a key that is not an integer.
  case mismatch = 20
  case notAuthorized = 23
  case notADatabase = 26
  case other = 1

  init(code: Int32) { self = Self(rawValue: code & 0xff) ?? .other }

  /// Whether an error number of the system says that there is no space, for the user or in a file.
  static func isFull(_ systemError: Int32) -> Bool {
    [ENOSPC, EDQUOT, EFBIG].contains(systemError)
  }
}
