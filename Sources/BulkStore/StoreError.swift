package import BulkSupport
internal import BulkModel
package import BulkSQLite

/// Why a file cannot be read or written as a Core Data store.
///
/// SQLite reports it, or the file lacks required contents; the result is then
/// ``SQLiteResult/corrupt``.
package typealias StoreError = SQLiteError

extension StoreError {
  static func notAStore(path: String, missingTable table: String) -> StoreError {
    contents(
      "\(path) is an SQLite database, but not a Core Data store: it has no table \(table)",
      path
    )
  }

  /// `Z_METADATA` does not hold exactly one row.
  static func metadataRows(_ count: String, path: String) -> StoreError {
    contents("\(path): Z_METADATA has \(count), but a store has exactly one row there", path)
  }

  static func nullMetadata(path: String) -> StoreError {
    contents(
      "\(path): Z_PLIST in Z_METADATA is NULL, but a store has a property list with its version hashes there",
      path
    )
  }

  /// A property list or archive in the store cannot be read.
  package static func damaged(_ what: String, path: String, reason: CodingError) -> StoreError {
    contents("\(path): \(what) cannot be read: \(reason)", path)
  }

  static func badMetadata(key: String, path: String) -> StoreError {
    contents("\(path): the metadata has no usable entry \(key)", path)
  }

  static func badModelCache(_ error: ModelError, path: String) -> StoreError {
    contents("\(path): the model in Z_MODELCACHE: \(error)", path)
  }

  static func missingTable(_ table: String, entity: String, path: String) -> StoreError {
    missing("\(path) has no table \(table), which entity \(entity) needs", path)
  }

  static func missingJoinTable(
    _ tables: [String],
    relationship: String,
    path: String
  ) -> StoreError {
    let names = tables.joined(separator: " or ")
    return missing("\(path) has no table \(names), which relationship \(relationship) needs", path)
  }

  package static func missingColumn(
    _ column: String,
    table: String,
    property: String,
    path: String
  ) -> StoreError {
    missing("\(path): table \(table) has no column \(column), which \(property) needs", path)
  }

  /// A table of the model has no row ids, or a column that hides them.
  static func missingRowIDs(table: String, path: String) -> StoreError {
    let reason = "it is made WITHOUT ROWID or has a column named rowid"
    return contents("\(path): the rows of table \(table) cannot be told apart: \(reason)", path)
  }

  /// The column `Z_PK` of a table is not its key.
  static func missingPrimaryKey(table: String, path: String) -> StoreError {
    let reason = "is not made as INTEGER PRIMARY KEY, so it may hold anything"
    return contents("\(path): Z_PK of table \(table) \(reason)", path)
  }

  /// `Z_PRIMARYKEY` gives an entity another number than its model does.
  package static func entityNumber(
    entity: String,
    expected: Int64,
    found: String,
    path: String
  ) -> StoreError {
    let fault = "should give number \(expected) to entity \(entity) but says \(found)"
    return contents("\(path): Z_PRIMARYKEY \(fault)", path)
  }

  /// The session was stopped on request, after a transaction.
  package static func stopped(path: String) -> StoreError {
    StoreError(.interrupted, message: "stopped", path: path)
  }

  /// The checkpoint that belongs to a transaction cannot be written.
  package static func checkpoint(path: String, reason: String, isDiskFull: Bool) -> StoreError {
    StoreError(isDiskFull ? .full : .other, message: reason, path: path, subject: .checkpoint)
  }

  /// SQLite was built without the module of a virtual table.
  static func missingModule(_ module: String, for table: String, path: String) -> StoreError {
    let fault = "table \(table) needs the module \(module), which this SQLite was built without"
    return StoreError(.other, message: "\(fault); use one that has it", path: path)
  }

  private static func contents(_ sentence: String, _ path: String) -> StoreError {
    StoreError(.corrupt, message: sentence, path: path, subject: .contents)
  }

  private static func missing(_ sentence: String, _ path: String) -> StoreError {
    contents("\(sentence); is this the model that wrote it?", path)
  }
}

extension StoreError {
  /// The checkpoint that cannot be written, and why, if that is the failure.
  package var failedCheckpoint: (path: String, reason: String, isDiskFull: Bool)? {
    subject == .checkpoint ? (path, message, result == .full) : nil
  }

  package var reason: String { text }

  package enum Cause: Sendable {
    /// The file does not exist, or may not be opened.
    case cannotOpen
    /// The file is corrupt or not a database.
    case corruption
    case diskFull
    case constraint
    case busy
    case interruption
    /// A value or a row is larger than the limit.
    case tooLarge
    /// The program has written something else than it was to write.
    case malfunction
    case other
  }

  package var cause: Cause {
    if isDiskFull { return .diskFull }
    return switch result {
    case .busy: .busy
    case .interrupted: .interruption
    case .cannotOpen: .cannotOpen
    // Only a corrupt file has a key that is not an integer, or a schema that exceeds the limits of
    // schemas.
    case .corrupt, .notADatabase, .mismatch, .notAuthorized: .corruption
    case .full: .diskFull
    case .tooBig: .tooLarge
    case .constraint: .constraint
    case .malfunction: .malfunction
    case .inputOutput, .other: .other
    }
  }
}
