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

  fileprivate struct Entry: Hashable {
    let type: String
    let name: String
    let table: String
    let sql: String
    /// Whether the table belongs to a module, and so has no page of its own.
    let isVirtual: Bool
  }

  /// Schemas that were read, by their statements: all stores of a version have the same.
  private static let known = Mutex<[[Entry]: FileSchema]>([:])
  private static let mostKnown = 4
  /// The length in bytes of the statements up to which a schema is kept.
  private static let longestKept = 1 << 15

  package init(_ connection: Connection) throws(StoreError) {
    let entries = try Self.entries(connection)
    if let known = Self.known.withLock({ $0[entries] }) {
      self = known
      return
    }
    try self.init(entries, connection)
    let schema = self
    guard entries.reduce(0, { $0 + $1.sql.utf8.count }) <= Self.longestKept else { return }
    Self.known.withLock {
      if $0.count >= Self.mostKnown { $0 = [:] }
      $0[entries] = schema
    }
  }

  private init(
    _ entries: [Entry],
    _ connection: Connection
  ) throws(StoreError) {
    var tables: [FileTable] = []
    var objects: [FileObject] = []
    var declared: [String: TableInfo] = [:]
    for entry in entries {
      let isTable = entry.type == "table"
      if isTable, !entry.isVirtual {
        guard let table = try connection.table(entry.name) else {
          throw StoreError(.corrupt, message: "\(entry.name) has no page", path: connection.path)
        }
        declared[entry.name] = table
        tables.append(FileTable(table))
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
          signature: kind == .index ? IndexSignature(entry, of: declared[entry.table]) : nil
        )
      )
    }
    self.tables = tables
    self.objects = objects
    indexByName = Dictionary(firstOf: tables.enumerated().map { ($1.name.uppercased(), $0) })
  }

  private static func entries(_ connection: Connection) throws(StoreError) -> [Entry] {
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

  /// The name is case-insensitive as in SQLite.
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

extension FileTable {
  fileprivate init(_ table: TableInfo) {
    let keys = table.columns.filter { $0.keyPosition > 0 }
    name = table.name
    columns = table.columns.filter { !$0.isHidden }.map {
      Column(name: $0.name, declaredType: $0.declaredType)
    }
    sql = table.sql
    uniqueConstraints = table.indexes.filter { $0.origin == "u" }.map { index in
      index.columns.map { table.columns[$0].name }
    }
    hasHiddenColumns = table.columns.contains(where: \.isHidden)
    hasRowID = table.hasRowID
    primaryKey = keys.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    rowIDColumn = table.key.map { table.columns[$0].name }
  }
}

extension IndexSignature {
  fileprivate init(_ entry: FileSchema.Entry, of table: TableInfo?) {
    let index = table?.indexes.first { $0.name == entry.name }
    self.init(
      table: entry.table,
      terms: (index?.columns ?? []).enumerated().map { number, column in
        Term(
          column: column < 0 ? nil : table?.columns[column].name.uppercased(),
          isAscending: index?.descends[number] == false,
          collation: index?.collations[number] ?? ""
        )
      },
      isUnique: entry.sql.uppercased().hasPrefix("CREATE UNIQUE"),
      condition: PartialIndexCondition.text(in: entry.sql)
    )
  }
}
