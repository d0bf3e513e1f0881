internal import BulkModel
internal import BulkSQLite

/// Makes the tables and other objects of a store, and writes what Core Data keeps in it beside the rows of
/// objects.
///
/// A store is made in this order: the tables of its definition, their rows, its indexes, and what
/// ``complete(_:metadata:fill:primaryKeys:)`` makes. Every statement is a transaction of its own.
package struct StoreBuilder {
  private let session: StoreSession

  package init(_ session: StoreSession) { self.session = session }

  /// Runs a statement that creates or drops a table, an index or a trigger.
  package func create(_ sql: String) throws(StoreError) { try session.transactions.execute(sql) }

  /// Makes the tables of the model's objects.
  package func createTables(_ definition: StoreDefinition) throws(StoreError) {
    for sql in definition.tableStatements { try create(sql) }
  }

  /// Makes everything in a definition, without rows.
  package func createEmpty(_ definition: StoreDefinition) throws(StoreError) {
    try createTables(definition)
    for index in definition.indexes { try create(index.sql) }
    for table in definition.history + definition.tables { try create(table, of: definition) }
    for index in definition.historyIndexes { try create(foreign: index.sql) }
    try createObjects(definition)
    for entry in definition.objects where entry.object.kind == .virtualTable {
      try registerVirtualTable(entry.object)
    }
    try createRTrees(definition)
    try createTriggers(definition)
  }

  /// Makes the R-trees of the model, with the rows that are there.
  ///
  /// - Throws: ``StoreError/missingModule(_:for:path:)`` if SQLite was built without them.
  func createRTrees(_ definition: StoreDefinition) throws(StoreError) {
    for tree in definition.schema.rTrees {
      let module = "SELECT 1 FROM pragma_module_list WHERE name = 'rtree'"
      guard try session.value(module) != nil else {
        throw .missingModule("rtree", for: tree.name, path: session.connection.path)
      }
      for sql in tree.statements { try create(sql) }
    }
  }

  /// Completes a store whose objects are written.
  ///
  /// - Throws: ``StoreError`` if the file cannot be written, and any error of the closures.
  package func complete(
    _ definition: StoreDefinition,
    metadata: StoreMetadata,
    fill: (FileTable) throws -> Void = { _ in },
    primaryKeys: () throws -> [PrimaryKeyEntry]
  ) throws {
    try createOwnTables()
    for table in definition.history + definition.tables {
      try create(table, of: definition)
      try fill(table)
    }
    for index in definition.historyIndexes { try create(foreign: index.sql) }
    try createObjects(definition)
    for entry in definition.objects where entry.object.kind == .virtualTable {
      try registerVirtualTable(entry.object)
    }
    try insert(primaryKeys(), metadata, definition)
  }

  /// Completes a copied store whose objects are as they shall be; its unmanaged tables are those of the source.
  ///
  /// - Throws: ``StoreError`` if the file cannot be written.
  package func complete(
    copied definition: StoreDefinition,
    metadata: StoreMetadata,
    primaryKeys: [PrimaryKeyEntry]
  ) throws(StoreError) {
    try createOwnTables()
    try createObjects(definition)
    try insert(primaryKeys, metadata, definition)
  }

  private func createOwnTables() throws(StoreError) {
    try create(SchemaSQL.primaryKeyTable)
    try create(SchemaSQL.metadataTable)
    try create(SchemaSQL.modelCacheTable)
  }

  private func insert(
    _ primaryKeys: [PrimaryKeyEntry],
    _ metadata: StoreMetadata,
    _ definition: StoreDefinition
  ) throws(StoreError) {
    try insert(primaryKeys)
    try insert(metadata, modelCache: definition.schema.modelCache.bytes)
    try createRTrees(definition)
    // Nothing is written to any table from here on: no trigger may ever fire.
    try createTriggers(definition)
  }

  /// Puts the file into WAL mode, as Core Data does, and closes the log.
  package func useWriteAheadMode() throws(StoreError) {
    let connection = session.connection
    // In exclusive mode the WAL index needs no shared memory, which would be a file.
    try connection.execute("PRAGMA main.locking_mode = EXCLUSIVE")
    try connection.execute("PRAGMA main.journal_mode = WAL")
    // The log opens with the first access to the file. To checkpoint one that is not open yet, SQLite
    // lists all tables, and compiles every view for that.
    _ = try connection.value("PRAGMA main.schema_version")
    try connection.execute("PRAGMA main.wal_checkpoint(TRUNCATE)")
  }

  /// The tables and other objects made so far.
  package func schema() throws(StoreError) -> FileSchema {
    try FileSchema(session.connection)
  }

  // MARK: Unmanaged objects

  /// Makes the unmanaged indexes, and then the views, which may depend on anything.
  private func createObjects(_ definition: StoreDefinition) throws(StoreError) {
    for kind in [FileObject.Kind.index, .view] {
      for entry in definition.objects where entry.object.kind == kind {
        try create(foreign: entry.sql)
      }
    }
  }

  private func createTriggers(_ definition: StoreDefinition) throws(StoreError) {
    let schema = definition.schema
    for trigger
      in (schema.derivedAttributes.flatMap(\.triggers) + schema.rTrees.flatMap(\.triggers))
    {
      try create(trigger.sql)
    }
    for entry in definition.objects where entry.object.kind == .trigger {
      try create(foreign: entry.sql)
    }
  }

  /// Runs a statement from a source's schema, which may be anything.
  ///
  /// - Throws: ``StoreError`` if it is more than one statement, does anything but create an index, a view
  ///   or a trigger, or computes an index with functions that may take any amount of time and memory.
  func create(foreign sql: String) throws(StoreError) {
    try session.transactions.transaction { () throws(StoreError) in
      try session.connection.execute(foreign: sql)
    }
  }

  /// Creates a table of a source again.
  ///
  /// Its constraints are not checked when its rows are copied, so they may name any function; the columns
  /// that it computes may not.
  ///
  /// - Throws: ``StoreError`` as ``create(foreign:)`` does.
  func create(foreign table: FileTable) throws(StoreError) {
    let functions = table.hasHiddenColumns ? ForeignFunctions.linear : .any
    try session.transactions.transaction { () throws(StoreError) in
      try session.connection.execute(foreign: table.sql, functions)
    }
  }

  /// Creates a table beside those of the model, with the columns that the history needs.
  private func create(_ table: FileTable, of definition: StoreDefinition) throws(StoreError) {
    try create(foreign: table)
    guard table.name == AncillaryColumn.history.table else { return }
    for sql in definition.revision.columnStatements { try create(sql) }
  }

  /// Registers a virtual table by its statement, without calling its module.
  ///
  /// The tables in which a module keeps its data are copied like any others, so the module itself is not
  /// needed.
  private func registerVirtualTable(_ object: FileObject) throws(StoreError) {
    let connection = session.connection
    try session.transactions.transaction { () throws(StoreError) in
      try connection.execute("PRAGMA main.writable_schema = ON")
      let statement = try connection.prepare(
        "INSERT INTO main.sqlite_schema (type, name, tbl_name, rootpage, sql) "
          + "VALUES ('table', ?1, ?1, 0, ?2)"
      )
      try statement.bind(.text(object.name), at: 1)
      try statement.bind(.text(object.sql), at: 2)
      try statement.run()
    }
    try connection.execute("PRAGMA main.writable_schema = RESET")
  }

  // MARK: Core Data's own tables

  private func insert(_ entries: [PrimaryKeyEntry]) throws(StoreError) {
    try session.transactions.transaction { () throws(StoreError) in
      let statement = try session.connection.prepare(
        "INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, ?3, ?4)"
      )
      for entry in entries {
        try statement.bind(.integer(entry.number), at: 1)
        try statement.bind(.text(entry.name), at: 2)
        try statement.bind(.integer(entry.superentity), at: 3)
        try statement.bind(.integer(entry.highestKey), at: 4)
        try statement.run()
      }
    }
  }

  private func insert(_ metadata: StoreMetadata, modelCache: [UInt8]) throws(StoreError) {
    let connection = session.connection
    try session.transactions.transaction { () throws(StoreError) in
      let row = try connection.prepare(
        "INSERT INTO main.Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)"
      )
      try row.bind(.text(metadata.uuid), at: 1)
      try connection.withoutValueLimit { () throws(StoreError) in
        try row.bind(.blob(metadata.propertyListBytes), at: 2)
        try row.run()
      }
      let cache = try connection.prepare("INSERT INTO main.Z_MODELCACHE (Z_CONTENT) VALUES (?1)")
      try connection.withoutValueLimit { () throws(StoreError) in
        try cache.bind(.blob(modelCache), at: 1)
        try cache.run()
      }
    }
  }
}

extension StoreOutline {
  /// The outline of the store that a definition makes, with the version of Core Data to imitate.
  ///
  /// The tables and other objects are made in memory, so the outline describes what SQLite really makes; errors
  /// name the path.
  ///
  /// - Throws: ``StoreError`` if SQLite refuses to make a copied object.
  package init(
    of definition: StoreDefinition,
    path: String,
    frameworkVersion: Int64,
    primaryKeys: [PrimaryKeyEntry]
  ) throws(StoreError) {
    let builder = StoreBuilder(try StoreSession(inMemoryFor: path))
    try builder.createEmpty(definition)
    self.init(
      path: path,
      frameworkVersion: frameworkVersion,
      schema: try builder.schema(),
      primaryKeys: primaryKeys
    )
  }
}
