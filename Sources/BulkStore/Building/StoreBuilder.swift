internal import BulkModel
internal import BulkSQLite

/// Makes the tables and other objects of a store, and writes what Core Data keeps in it beside the rows of
/// objects.
///
/// A store is made in this order: the tables of its definition, their rows, its indexes, and its
/// ``StoreDefinition/Part``s. Outside of a batch every statement is a transaction of its own, but for Core Data's own
/// tables.
package struct StoreBuilder {
  private let session: StoreSession

  package init(_ session: StoreSession) { self.session = session }

  package func create(_ sql: String) throws(StoreError) { try session.transactions.execute(sql) }

  package func createTables(_ definition: StoreDefinition) throws(StoreError) {
    for sql in definition.tableStatements { try create(sql) }
  }

  func createEmpty(_ definition: StoreDefinition) throws(StoreError) {
    try createTables(definition)
    for index in definition.indexes { try create(index.sql) }
    for part in definition.parts() where !part.isOfCoreData { try make(part, of: definition) }
  }

  /// Makes the R-trees of the model, with the rows that are there.
  ///
  /// Throws ``StoreError/missingModule(_:for:path:)`` if SQLite was built without R-trees.
  func createRTrees(_ definition: StoreDefinition) throws(StoreError) {
    for tree in definition.schema.rTrees { try make(.rTree(tree), of: definition) }
  }

  /// Makes a part of a definition; tables beside those of the model stay empty.
  package func make(_ part: StoreDefinition.Part, of definition: StoreDefinition) throws(StoreError)
  {
    switch part {
    case .ownTables:
      try session.transactions.transaction { () throws(StoreError) in
        try create(SchemaSQL.primaryKeyTable)
        try create(SchemaSQL.metadataTable)
        try create(SchemaSQL.modelCacheTable)
      }
    case .table(let table): try create(table, of: definition)
    case .object(_, let sql): try create(foreign: sql)
    case .virtualTable(let object): try registerVirtualTable(object)
    case .rTree(let tree):
      let module = "SELECT 1 FROM pragma_module_list WHERE name = 'rtree'"
      guard try session.value(module) != nil else {
        throw .missingModule("rtree", for: tree.name, path: session.connection.path)
      }
      for sql in tree.statements { try create(sql) }
    case .trigger(let trigger): try create(trigger.sql)
    case .primaryKeys, .metadata: break
    }
  }

  /// Puts the file into WAL mode, as Core Data does.
  ///
  /// The log would be made by the next access to the file, so this comes last.
  package func useWriteAheadMode() throws(StoreError) {
    // In exclusive mode the WAL index would need no shared memory, which is a file.
    try session.connection.execute("PRAGMA main.locking_mode = EXCLUSIVE")
    try session.connection.execute("PRAGMA main.journal_mode = WAL")
  }

  package func schema() throws(StoreError) -> FileSchema {
    try FileSchema(session.connection)
  }

  /// Runs a statement from a source's schema, which may be anything.
  ///
  /// Throws if it is more than one statement, does anything but create an index, a view or a
  /// trigger, or computes an index with functions that may take any amount of time and memory.
  func create(
    foreign sql: String,
    _ functions: ForeignFunctions = .linear
  ) throws(StoreError) {
    try session.transactions.transaction { () throws(StoreError) in
      try session.connection.execute(foreign: sql, functions)
    }
  }

  /// Creates a table of a source again.
  ///
  /// Its constraints are not checked when its rows are copied, so they may name any function; the columns
  /// that it computes may not.
  func create(foreign table: FileTable) throws(StoreError) {
    try create(foreign: table.sql, table.hasHiddenColumns ? .linear : .any)
  }

  private func create(_ table: FileTable, of definition: StoreDefinition) throws(StoreError) {
    try create(foreign: table)
    guard table.name == AncillaryColumn.history.table else { return }
    for sql in definition.revision.columnStatements { try create(sql) }
  }

  /// The tables in which a module keeps its data are copied like any others, so the module itself is not
  /// needed.
  private func registerVirtualTable(_ object: FileObject) throws(StoreError) {
    let connection = session.connection
    try session.transactions.transaction { () throws(StoreError) in
      try connection.execute("PRAGMA main.writable_schema = ON")
      try PreparedStatement(
        "INSERT INTO main.sqlite_schema (type, name, tbl_name, rootpage, sql) "
          + "VALUES ('table', ?1, ?1, 0, ?2)",
        connection
      )
      .run([.text(object.name), .text(object.sql)])
    }
    try connection.execute("PRAGMA main.writable_schema = RESET")
  }

  package func insert(_ entries: [PrimaryKeyEntry]) throws(StoreError) {
    try session.transactions.transaction { () throws(StoreError) in
      let row = try PreparedStatement(
        "INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, ?3, ?4)",
        session.connection
      )
      for entry in entries {
        try row.run([
          .integer(entry.number), .text(entry.name), .integer(entry.superentity),
          .integer(entry.highestKey),
        ])
      }
    }
  }

  package func insert(
    _ metadata: StoreMetadata,
    of definition: StoreDefinition
  ) throws(StoreError) {
    let modelCache = definition.schema.modelCache.bytes
    let connection = session.connection
    try session.transactions.transaction { () throws(StoreError) in
      try connection.withoutValueLimit { () throws(StoreError) in
        try PreparedStatement(
          "INSERT INTO main.Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)",
          connection
        )
        .run([.text(metadata.uuid), .blob(metadata.propertyListBytes)])
        try PreparedStatement("INSERT INTO main.Z_MODELCACHE (Z_CONTENT) VALUES (?1)", connection)
          .run([.blob(modelCache)])
      }
    }
  }
}

extension StoreOutline {
  /// The outline of the store that a definition makes, with the version of Core Data to imitate.
  ///
  /// The tables and other objects are made in memory, so the outline describes SQLite's actual
  /// result; errors name the path.
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
