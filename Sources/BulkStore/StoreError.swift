package import BulkCoding
package import BulkModel
package import BulkSQLite

/// Why a file cannot be read or written as a Core Data store.
package enum StoreError: Error, Equatable, Sendable {
  /// SQLite cannot read or write a file.
  case sqlite(SQLiteError)
  /// A file is a database, but not a Core Data store.
  case notAStore(path: String, missingTable: String)
  /// `Z_METADATA` does not hold exactly one row.
  case metadataRows(String, path: String)
  /// A property list or archive in the store cannot be read.
  case damaged(String, path: String, reason: CodingError)
  /// The metadata lacks an entry or has one of the wrong type.
  case badMetadata(key: String, path: String)
  /// The model cached in the store is invalid.
  case badModelCache(ModelError, path: String)
  /// The store has no table for an entity of its model.
  case missingTable(String, entity: String, path: String)
  /// The store has no join table for a relationship of its model.
  case missingJoinTable([String], relationship: String, path: String)
  /// A table lacks the column of a property.
  case missingColumn(String, table: String, property: String, path: String)
  /// A table of the model has no row ids, or a column that hides them.
  case missingRowIDs(table: String, path: String)
  /// The column `Z_PK` of a table is not its key.
  case missingPrimaryKey(table: String, path: String)
  /// `Z_PRIMARYKEY` gives an entity another number than its model does.
  case entityNumber(entity: String, expected: Int64, found: String, path: String)
  /// The checkpoint that belongs to a transaction cannot be written.
  case checkpoint(path: String, reason: String, isDiskFull: Bool)
  /// The session was stopped on request, after a transaction.
  case stopped(path: String)
  /// Rows of a table have an entity number that the table cannot hold.
  case foreignRows(table: String, entityNumber: String, count: Int64, path: String)
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .sqlite(let error): error.description
    case .notAStore(let path, let table):
      "\(path) is an SQLite database but no Core Data store: it has no table \(table)"
    case .metadataRows(let count, let path):
      "\(path): Z_METADATA has \(count), but a store has exactly one row there"
    case .damaged(let what, let path, let reason): "\(path): \(what) cannot be read: \(reason)"
    case .badMetadata(let key, let path):
      "\(path): the metadata has no usable entry \(key)"
    case .badModelCache(let error, let path): "\(path): the model in Z_MODELCACHE: \(error)"
    case .missingTable(let table, let entity, let path):
      "\(path) has no table \(table), which entity \(entity) needs; is this the model that wrote it?"
    case .missingJoinTable(let tables, let relationship, let path):
      "\(path) has no table \(tables.joined(separator: " or ")), which relationship "
        + "\(relationship) needs; is this the model that wrote it?"
    case .missingColumn(let column, let table, let property, let path):
      "\(path): table \(table) has no column \(column), which \(property) needs; "
        + "is this the model that wrote it?"
    case .missingPrimaryKey(let table, let path):
      "\(path): Z_PK of table \(table) is not made as INTEGER PRIMARY KEY, so it may hold anything"
    case .missingRowIDs(let table, let path):
      "\(path): the rows of table \(table) cannot be told apart: it is made WITHOUT ROWID or has a "
        + "column named rowid"
    case .entityNumber(let entity, let expected, let found, let path):
      "\(path): Z_PRIMARYKEY should give number \(expected) to entity \(entity) but says \(found)"
    case .stopped(let path): "\(path): stopped"
    case .checkpoint(let path, let reason, _): "\(path) cannot be written: \(reason)"
    case .foreignRows(let table, let number, let count, let path):
      "\(path): \(count) rows of table \(table) have Z_ENT \(number), which is no entity that the "
        + "table may hold"
    }
  }
}

extension StoreError {
  /// Runs a body and reports its failures as those of a store.
  static func sqlite<T: ~Copyable>(
    _ body: () throws(SQLiteError) -> T
  ) throws(StoreError) -> T {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw .sqlite(error)
    }
  }

  /// The error alone, without file and statement, if it came from SQLite.
  package var reason: String {
    guard case .sqlite(let error) = self else { return description }
    return error.reason
  }

  /// The function that a statement of a source's schema may not call, if that is what failed.
  package var refusedFunction: String? {
    guard case .sqlite(let error) = self else { return nil }
    return error.refusedFunction
  }

  /// The meaning of a failure of SQLite.
  package enum Cause: Sendable {
    /// There is no such file, or it may not be opened.
    case cannotOpen
    /// The file is corrupt or not a database.
    case corruption
    /// The disk is full.
    case diskFull
    /// A row violates a rule of its table.
    case constraint
    /// Another process has the file open.
    case busy
    /// A statement was stopped.
    case interruption
    /// A value or a row is larger than the limit.
    case tooLarge
    /// The program has written something else than it was to write.
    case malfunction
    /// Something else.
    case other
  }

  /// The cause, if SQLite reports it.
  package var cause: Cause {
    if case .checkpoint(_, _, let isDiskFull) = self { return isDiskFull ? .diskFull : .other }
    if case .stopped = self { return .interruption }
    guard case .sqlite(let error) = self else { return .corruption }
    if error.isDiskFull { return .diskFull }
    return switch error.result {
    case .busy: .busy
    case .interrupted: .interruption
    case .cannotOpen: .cannotOpen
    // Only a corrupt file has a key that is not an integer, or a schema that wants more than a schema may.
    case .corrupt, .notADatabase, .mismatch, .notAuthorized: .corruption
    case .full: .diskFull
    case .tooBig: .tooLarge
    case .constraint: .constraint
    case .malfunction: .malfunction
    case .inputOutput, .other: .other
    }
  }
}
