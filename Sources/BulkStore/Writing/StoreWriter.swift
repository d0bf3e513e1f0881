package import BulkSQLite

/// Builds a new store file.
///
/// The file is one of the caller's own: it is made here, has no journal, and counts for nothing until
/// the caller has synced and published it. A failure leaves a file that can only be thrown away.
package final class StoreWriter {
  /// The caches of a writer, in KiB.
  package struct CacheSizes: Sendable {
    /// Of the file that is written; SQLite's sorter for indexes keeps its runs within it too.
    package let destination: Int
    /// Of the store that is read.
    package let source: Int

    package init(destination: Int, source: Int) {
      self.destination = destination
      self.source = source
    }
  }

  private let connection: Connection

  /// Makes a file and lets it read a source store.
  ///
  /// - Parameters:
  ///   - path: The file to make; there must be none.
  ///   - sourcePath: The store that is read.
  ///   - pageSize: The size of a page in bytes, as the source has it.
  ///   - caches: The caches of the two files.
  package init(
    path: String,
    readingFrom sourcePath: String,
    pageSize: Int64,
    caches: CacheSizes
  ) throws(SQLiteError) {
    connection = try Connection(path: path, access: .readWrite)
    // Both count only before the first table is made.
    try connection.execute("PRAGMA main.page_size = \(pageSize)")
    try connection.execute("PRAGMA main.auto_vacuum = INCREMENTAL")
    try connection.execute("PRAGMA main.journal_mode = OFF")
    try connection.execute("PRAGMA main.synchronous = OFF")
    try connection.attachSource(sourcePath, as: "source")
    try connection.execute("PRAGMA main.cache_size = -\(caches.destination)")
    try connection.execute("PRAGMA source.cache_size = -\(caches.source)")
  }

  /// Runs statements that make tables, indexes or triggers.
  package func create(_ statements: [String]) throws {
    try connection.transaction { () throws(SQLiteError) in
      for statement in statements { try connection.execute(statement) }
    }
  }

  /// Registers a virtual table by its statement, without asking its module to make anything.
  ///
  /// The tables in which a module keeps its data are copied like any others, so the module itself is
  /// not needed.
  package func registerVirtualTable(_ object: FileObject) throws {
    try connection.execute("PRAGMA main.writable_schema = ON")
    try connection.transaction { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "INSERT INTO main.sqlite_schema (type, name, tbl_name, rootpage, sql) "
          + "VALUES ('table', ?1, ?1, 0, ?2)")
      try statement.bind(.text(object.name), at: 1)
      try statement.bind(.text(object.sql), at: 2)
      try statement.run()
    }
    try connection.execute("PRAGMA main.writable_schema = RESET")
  }

  /// The ranges of keys in which the rows of a source table are transferred.
  package func batches(of table: String, rows: Int64) throws(SQLiteError) -> KeyRanges {
    try KeyRanges(connection, table: table, rows: rows)
  }

  /// Transfers the rows of one range.
  ///
  /// - Returns: The number of rows that were written.
  package func run(_ transfer: PreparedTransfer, range: ClosedRange<Int64>) throws -> Int64 {
    var written: Int64 = 0
    try connection.transaction { () throws(SQLiteError) in
      try transfer.run(range)
      written = connection.changes
    }
    return written
  }

  /// Prepares a transfer for its ranges.
  package func prepare(_ transfer: RowTransfer) throws(SQLiteError) -> PreparedTransfer {
    PreparedTransfer(try connection.prepare(transfer.sql))
  }

  /// Copies all rows of a table that has no row ids, in one transaction.
  ///
  /// - Returns: The number of rows that were written.
  package func copyWhole(_ table: String) throws -> Int64 {
    var written: Int64 = 0
    let name = SQLText.quoted(table)
    try connection.transaction { () throws(SQLiteError) in
      try connection.execute("INSERT INTO main.\(name) SELECT * FROM source.\(name)")
      written = connection.changes
    }
    return written
  }

  /// Gives places to the members of an ordered relationship that have none.
  package func assignPlaces(_ ordering: MemberOrdering) throws {
    try connection.transaction { () throws(SQLiteError) in
      try PlaceAssignment(ordering, connection).run()
    }
  }

  /// Writes the row of an entity's number, name and highest key.
  package func insertPrimaryKeys(_ entries: [PrimaryKeyEntry]) throws {
    try connection.transaction { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, ?3, ?4)")
      for entry in entries {
        try statement.bind(.integer(entry.number), at: 1)
        try statement.bind(.text(entry.name), at: 2)
        try statement.bind(.integer(entry.superentity), at: 3)
        try statement.bind(.integer(entry.highestKey), at: 4)
        try statement.run()
      }
    }
  }

  /// Writes the store's metadata and the cache of its model.
  package func insertMetadata(uuid: String, propertyList: [UInt8], modelCache: [UInt8]) throws {
    try connection.transaction { () throws(SQLiteError) in
      let metadata = try connection.prepare(
        "INSERT INTO main.Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)")
      try metadata.bind(.text(uuid), at: 1)
      try metadata.bind(.blob(propertyList), at: 2)
      try metadata.run()
      let cache = try connection.prepare("INSERT INTO main.Z_MODELCACHE (Z_CONTENT) VALUES (?1)")
      try cache.bind(.blob(modelCache), at: 1)
      try cache.run()
    }
  }

  /// Checks the structure of the finished file.
  ///
  /// - Returns: What is wrong; empty where nothing is.
  package func quickCheck() throws(SQLiteError) -> [String] {
    let statement = try connection.prepare("PRAGMA main.quick_check(10)")
    var result: [String] = []
    while try statement.step() {
      let line = statement.text(at: 0)
      if line != "ok" { result.append(line) }
    }
    return result
  }

  /// Puts the file into the journal mode in which Core Data keeps its stores.
  package func useWriteAheadLog() throws(SQLiteError) {
    try connection.execute("PRAGMA main.journal_mode = WAL")
  }
}
