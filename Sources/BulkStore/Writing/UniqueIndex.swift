internal import BulkCoding
internal import BulkSQLite

extension StoreSession {
  /// The maximum number of repeating rows that are held.
  private static var heldRepeats: Int { 100_000 }

  /// Makes an index unique that was made as ``SchemaIndex/withRepeats`` and has no repeated
  /// entries.
  ///
  /// Both are the same tree: an entry ends with the row id in either. Only the statement in the schema changes, so
  /// that nothing is sorted again.
  ///
  /// Source: “Representation Of SQL Indices”, section 2.4 of SQLite's file format document.
  ///
  /// - Throws: ``StoreError`` if the file cannot be written.
  package func makeUnique(_ index: SchemaIndex) throws(StoreError) {
    let connection = connection
    try transactions.transaction { () throws(StoreError) in
      try connection.execute("PRAGMA writable_schema = ON")
      try connection.execute(
        "UPDATE main.sqlite_schema SET sql = \(SQLText.quoted(literal: index.sql)) "
          + "WHERE type = 'index' AND name = \(SQLText.quoted(literal: index.name))"
      )
    }
    // SQLite reads the schema again.
    try connection.execute("PRAGMA writable_schema = RESET")
  }

  /// The keys of the rows that repeat the values of a row before them in an index, in its order; `nil` if only SQLite
  /// can tell, or if there are more than can be held.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read.
  func repeats(in index: SchemaIndex) throws(StoreError) -> [Int64]? {
    let work = work
    return try IndexRepeats.rows(
      in: index.name,
      columns: index.terms.count,
      connection,
      limit: Self.heldRepeats,
      isStopped: { work.isStopped(after: 1 << 14) }
    )
  }
}
