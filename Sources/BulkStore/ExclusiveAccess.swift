internal import BulkSQLite

/// Holds a store so that no other process can have it open.
///
/// It is for replacing a store as a whole; whoever reads one needs no lock.
package final class ExclusiveAccess {
  private let connection: Connection

  /// Takes hold of a store and writes what its log or hot journal holds into the file, as SQLite does
  /// for every program that opens and closes one; the rows stay the same.
  ///
  /// - Throws: ``StoreError`` with the cause ``StoreError/Cause/busy`` if somebody has it open.
  package init(_ path: String) throws(StoreError) {
    connection = try StoreError.sqlite { () throws(SQLiteError) in
      let connection = try Connection(path: path, access: .alone)
      try connection.execute("BEGIN EXCLUSIVE")
      try connection.execute("COMMIT")
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      return connection
    }
  }

  /// Lets go of the store; no log is left beside it.
  package func end() {}
}
