internal import BulkSQLite

/// Exclusive access to a store: no other process can have it open.
///
/// It is for replacing a whole store; reading one needs no lock.
package final class ExclusiveAccess {
  private var connection: Connection?

  /// Locks a store and writes its log or hot journal into the file, as SQLite does whenever a program opens
  /// and closes one; the rows stay the same.
  ///
  /// Throws with the cause ``StoreError/Cause/busy`` if another process has it open.
  package init(_ path: String) throws(StoreError) {
    let connection = try Connection(path: path, access: .exclusive)
    try connection.execute("BEGIN EXCLUSIVE")
    try connection.execute("COMMIT")
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    self.connection = connection
  }

  /// Releases the store; no log is left beside it.
  package func end() { connection = nil }
}
