internal import BulkModel
package import BulkSQLite
internal import Synchronization

/// The tables and other objects of a store file, as `sqlite_schema` lists them.
package struct FileSchema: Sendable {
  /// The ordinary tables in the order of the file, without SQLite's own.
  package let tables: [FileTable]
  /// All other objects that a statement made, in the order of the file.
  package let objects: [FileObject]
  private let indexByName: [String: Int]

  /// Schemas that were read, by their statements: all stores of a version have the same.
  private static let known = Mutex<[[FileSchemaReader.Entry]: FileSchema]>([:])
  private static let mostKnown = 4
  /// The length in bytes of the statements up to which a schema is kept.
  private static let longestKept = 1 << 15

  /// Reads the schema of an open file.
  package init(_ connection: Connection) throws(StoreError) {
    let reader = FileSchemaReader(connection: connection)
    let entries = try reader.entries()
    if let known = Self.known.withLock({ $0[entries] }) {
      self = known
      return
    }
    try self.init(entries, reader)
    let schema = self
    guard entries.reduce(0, { $0 + $1.sql.utf8.count }) <= Self.longestKept else { return }
    Self.known.withLock {
      if $0.count >= Self.mostKnown { $0 = [:] }
      $0[entries] = schema
    }
  }

  private init(
    _ entries: [FileSchemaReader.Entry],
    _ reader: FileSchemaReader
  ) throws(StoreError) {
    var tables: [FileTable] = []
    var objects: [FileObject] = []
    for entry in entries {
      let isTable = entry.type == "table"
      if isTable, !entry.isVirtual {
        tables.append(try reader.table(entry))
        continue
      }
      let found = isTable ? .virtualTable : FileObject.Kind(rawValue: entry.type)
      guard let kind = found else { continue }
      objects.append(
        FileObject(
          kind: kind,
          name: entry.name,
          table: isTable ? entry.name : entry.table,
          sql: entry.sql,
          signature: kind == .index ? try reader.signature(entry) : nil
        )
      )
    }
    self.tables = tables
    self.objects = objects
    indexByName = Dictionary(firstOf: tables.enumerated().map { ($1.name.uppercased(), $0) })
  }

  /// A table by name, case-insensitive as in SQLite.
  package func table(named name: String) -> FileTable? {
    indexByName[name.uppercased()].map { tables[$0] }
  }

  /// The signatures of indexes, and of uniqueness constraints in tables' statements.
  package var indexSignatures: Set<IndexSignature> {
    let stated = tables.flatMap { table in
      table.uniqueConstraints.map { IndexSignature(unique: $0, table: table.name) }
    }
    return Set(objects.compactMap(\.signature) + stated)
  }
}

/// Reads the schema of a connection's own database.
private struct FileSchemaReader {
  let connection: Connection

  struct Entry: Hashable {
    let type: String
    let name: String
    let table: String
    let sql: String
    /// Whether the table belongs to a module, and so has no page of its own.
    let isVirtual: Bool
  }

  func entries() throws(StoreError) -> [Entry] {
    let statement = try connection.prepare(
      "SELECT type, name, tbl_name, sql, rootpage FROM \"main\".sqlite_schema "
        + "WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
    )
    var result: [Entry] = []
    while try statement.step() {
      result.append(
        Entry(
          type: statement.text(at: 0),
          name: statement.text(at: 1),
          table: statement.text(at: 2),
          sql: statement.text(at: 3),
          isVirtual: statement.int64(at: 4) == 0
        )
      )
    }
    return result
  }

  /// Whether the rows of a table have row ids; SQLite reports the columns of a key only for one whose rows
  /// have none.
  ///
  /// `pragma_table_list` would report it for all tables at once, but compiles every view for that: nested
  /// views can keep it busy forever.
  private func hasRowID(_ table: String) throws(StoreError) -> Bool {
    try connection.value("SELECT 1 FROM \(pragma("index_info", of: table))") == nil
  }

  func table(_ entry: Entry) throws(StoreError) -> FileTable {
    let hasRowID = try hasRowID(entry.name)
    let statement = try connection.prepare(
      "SELECT name, type, hidden, pk FROM \(pragma("table_xinfo", of: entry.name)) ORDER BY cid"
    )
    var columns: [FileTable.Column] = []
    var hasHiddenColumns = false
    var keys: [(place: Int64, column: FileTable.Column)] = []
    while try statement.step() {
      guard statement.int64(at: 2) == 0 else {
        hasHiddenColumns = true
        continue
      }
      let column = FileTable.Column(
        name: statement.text(at: 0),
        declaredType: statement.text(at: 1)
      )
      columns.append(column)
      if statement.int64(at: 3) > 0 { keys.append((statement.int64(at: 3), column)) }
    }
    let primaryKey = keys.sorted { $0.place < $1.place }.map(\.column)
    return FileTable(
      name: entry.name,
      columns: columns,
      sql: entry.sql,
      uniqueConstraints: try uniqueConstraints(of: entry.name),
      hasHiddenColumns: hasHiddenColumns,
      hasRowID: hasRowID,
      primaryKey: primaryKey.map(\.name),
      rowIDColumn: hasRowID ? try rowIDColumn(of: entry.name, keys: primaryKey) : nil
    )
  }

  /// The column that is an alias of the row id: the only one of a primary key, declared INTEGER, for which
  /// SQLite made no index.
  private func rowIDColumn(
    of table: String,
    keys: [FileTable.Column]
  ) throws(StoreError) -> String? {
    guard keys.count == 1, keys[0].declaredType.uppercased() == "INTEGER" else { return nil }
    let index = try connection.value(
      "SELECT 1 FROM \(pragma("index_list", of: table)) WHERE origin = 'pk'"
    )
    return index == nil ? keys[0].name : nil
  }

  private func uniqueConstraints(of table: String) throws(StoreError) -> [[String]] {
    let statement = try connection.prepare(
      "SELECT l.seq, i.name FROM \(pragma("index_list", of: table)) AS l, "
        + "pragma_index_info(l.name, 'main') AS i WHERE l.origin = 'u' ORDER BY l.seq DESC, i.seqno"
    )
    var result: [(number: Int64, columns: [String])] = []
    while try statement.step() {
      let number = statement.int64(at: 0)
      if result.last?.number != number { result.append((number, [])) }
      result[result.count - 1].columns.append(statement.text(at: 1))
    }
    return result.map(\.columns)
  }

  func signature(_ entry: Entry) throws(StoreError) -> IndexSignature {
    let statement = try connection.prepare(
      "SELECT name, \"desc\", coll FROM \(pragma("index_xinfo", of: entry.name)) WHERE key = 1 ORDER BY seqno"
    )
    var terms: [IndexSignature.Term] = []
    while try statement.step() {
      let isNamed = statement.storageClass(at: 0) == .text
      terms.append(
        IndexSignature.Term(
          column: isNamed ? statement.text(at: 0).uppercased() : nil,
          isAscending: statement.int64(at: 1) == 0,
          collation: statement.text(at: 2).uppercased()
        )
      )
    }
    return IndexSignature(
      table: entry.table,
      terms: terms,
      isUnique: entry.sql.uppercased().hasPrefix("CREATE UNIQUE"),
      condition: PartialIndexCondition.text(in: entry.sql)
    )
  }

  /// The function of SQLite for what a pragma tells of a table or an index.
  private func pragma(_ name: String, of object: String) -> String {
    "pragma_\(name)(\(SQLText.quoted(literal: object)), 'main')"
  }
}
