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
