package import BulkSQLite

/// The tables and other objects of a store file, as `sqlite_schema` lists them.
package struct FileSchema: Sendable {
  /// The ordinary tables in the order of the file, without SQLite's own.
  package let tables: [FileTable]
  /// Everything else that a statement made, in the order of the file.
  package let objects: [FileObject]
  private let indexByName: [String: Int]

  /// Reads the schema of an open file.
  package init(_ connection: Connection, schema: String = "main") throws(SQLiteError) {
    var tables: [FileTable] = []
    var objects: [FileObject] = []
    let entries = try Self.entries(connection, schema: schema)
    for entry in entries {
      switch entry.type {
      case "table" where entry.sql.uppercased().hasPrefix("CREATE VIRTUAL"):
        objects.append(
          FileObject(
            kind: .virtualTable,
            name: entry.name,
            table: entry.name,
            sql: entry.sql,
            signature: nil
          )
        )
      case "table":
        tables.append(try Self.table(entry, connection, schema: schema))
      default:
        guard let kind = FileObject.Kind(rawValue: entry.type) else { continue }
        objects.append(
          FileObject(
            kind: kind,
            name: entry.name,
            table: entry.table,
            sql: entry.sql,
            signature: kind == .index
              ? try Self.signature(entry, connection, schema: schema) : nil
          )
        )
      }
    }
    self.tables = tables
    self.objects = objects
    indexByName = Dictionary(
      tables.enumerated().map { ($1.name.uppercased(), $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// A table by name, without regard to case, as SQLite finds it.
  package func table(named name: String) -> FileTable? {
    indexByName[name.uppercased()].map { tables[$0] }
  }

  private struct Entry {
    let type: String
    let name: String
    let table: String
    let sql: String
  }

  private static func entries(
    _ connection: Connection,
    schema: String
  ) throws(SQLiteError) -> [Entry] {
    let statement = try connection.prepare(
      "SELECT type, name, tbl_name, sql FROM \(SQLText.quoted(schema)).sqlite_schema "
        + "WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
    )
    var result: [Entry] = []
    while try statement.step() {
      result.append(
        Entry(
          type: statement.text(at: 0),
          name: statement.text(at: 1),
          table: statement.text(at: 2),
          sql: statement.text(at: 3)
        )
      )
    }
    return result
  }

  private static func table(
    _ entry: Entry,
    _ connection: Connection,
    schema: String
  ) throws(SQLiteError) -> FileTable {
    let statement = try connection.prepare(
      "SELECT name, type, hidden FROM pragma_table_xinfo(\(SQLText.quoted(literal: entry.name)), "
        + "\(SQLText.quoted(literal: schema))) ORDER BY cid"
    )
    var columns: [FileTable.Column] = []
    var hasHiddenColumns = false
    while try statement.step() {
      guard statement.int64(at: 2) == 0 else {
        hasHiddenColumns = true
        continue
      }
      columns.append(
        FileTable.Column(name: statement.text(at: 0), declaredType: statement.text(at: 1))
      )
    }
    let list = try connection.prepare(
      "SELECT wr FROM pragma_table_list(\(SQLText.quoted(literal: entry.name))) "
        + "WHERE schema = \(SQLText.quoted(literal: schema))"
    )
    let isWithoutRowID = try list.step() && list.int64(at: 0) != 0
    return FileTable(
      name: entry.name,
      columns: columns,
      sql: entry.sql,
      uniqueConstraints: try uniqueConstraints(of: entry.name, connection, schema: schema),
      hasHiddenColumns: hasHiddenColumns,
      hasRowID: !isWithoutRowID
    )
  }

  private static func uniqueConstraints(
    of table: String,
    _ connection: Connection,
    schema: String
  ) throws(SQLiteError) -> [[String]] {
    let schema = SQLText.quoted(literal: schema)
    let statement = try connection.prepare(
      "SELECT l.seq, i.name FROM pragma_index_list(\(SQLText.quoted(literal: table)), \(schema)) AS l, "
        + "pragma_index_info(l.name, \(schema)) AS i WHERE l.origin = 'u' ORDER BY l.seq DESC, i.seqno"
    )
    var result: [(number: Int64, columns: [String])] = []
    while try statement.step() {
      let number = statement.int64(at: 0)
      if result.last?.number != number { result.append((number, [])) }
      result[result.count - 1].columns.append(statement.text(at: 1))
    }
    return result.map(\.columns)
  }

  private static func signature(
    _ entry: Entry,
    _ connection: Connection,
    schema: String
  ) throws(SQLiteError) -> IndexSignature {
    let statement = try connection.prepare(
      "SELECT name, \"desc\", coll FROM pragma_index_xinfo(\(SQLText.quoted(literal: entry.name)), "
        + "\(SQLText.quoted(literal: schema))) WHERE key = 1 ORDER BY seqno"
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
}
