internal import CBulkSQLite

/// The settings that SQLite has for a whole process, which belong to the program and not to a library in it.
package enum SQLiteLibrary {
  /// Turns SQLite's memory statistics off, for which threads contend: 3 % of the processor time of a run.
  ///
  /// It has no effect once the process has used SQLite.
  package static func countNoMemory() { _ = bulk_sqlite_count_no_memory() }
}
