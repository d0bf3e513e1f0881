/// A table of a database, with everything that its schema says of it and of its indexes.
package struct TableInfo: Sendable {
  package struct Column: Hashable, Sendable {
    package let name: String
    /// As written.
    package let declaredType: String
    fileprivate(set) var isRequired = false
    fileprivate(set) var hasDefault = false
    /// Its position in the primary key, from 1; 0 for none.
    package fileprivate(set) var keyPosition = 0
    /// Whether its value is computed, or it belongs to a virtual table.
    package fileprivate(set) var isHidden = false

    var affinity: ColumnAffinity { ColumnAffinity(declaredType: declaredType) }
  }

  package struct Index: Sendable {
    package let name: String
    /// The page with the root of its tree; 0 if it has none of its own.
    let root: UInt32
    /// `c` for one that a statement made, `u` and `pk` for those of constraints.
    package let origin: String
    let isUnique: Bool
    let isPartial: Bool
    /// The indexes of the columns of its key in the table, most significant first; -1 is the row id, -2 an expression.
    package let columns: [Int]
    /// Whether the values of a column descend, and the names of the collations in capitals, in the order of ``columns``.
    package let descends: [Bool]
    package let collations: [String]

    /// The maximum number of columns of an index whose entries certainly fit into their cells.
    fileprivate static let mostColumns = 6
  }

  package let name: String
  let root: UInt32
  package let sql: String
  package let columns: [Column]
  /// The index of the column that is another name of the row id.
  ///
  /// Source: “ROWIDs and the INTEGER PRIMARY KEY”, section 5 of SQLite's documentation of CREATE TABLE. An integer key
  /// in descending order is not; SQLite has an index for it then.
  package let key: Int?
  package private(set) var indexes: [Index]
  package let hasRowID: Bool

  static let schema = TableInfo(
    name: "sqlite_schema",
    root: 1,
    sql: "",
    columns: ["type", "name", "tbl_name", "rootpage", "sql"].map {
      Column(name: $0, declaredType: $0 == "rootpage" ? "INTEGER" : "TEXT")
    },
    indexes: [],
    hasRowID: true
  )

  fileprivate init(
    name: String,
    root: UInt32,
    sql: String,
    columns: [Column],
    indexes: [Index],
    hasRowID: Bool
  ) {
    (self.name, self.root, self.sql) = (name, root, sql)
    (self.columns, self.indexes, self.hasRowID) = (columns, indexes, hasRowID)
    let keys = columns.indices.filter { columns[$0].keyPosition > 0 }
    let isAlias =
      hasRowID && keys.count == 1 && columns[keys[0]].declaredType.uppercased() == "INTEGER"
      && !indexes.contains { $0.origin == "pk" }
    key = isAlias ? keys[0] : nil
  }
}

extension TableInfo {
  /// The table with the indexes that are built beside its rows: some of those that statements made, and those that
  /// SQLite made for keys; `nil` if its pages cannot be built without SQLite.
  func written(with known: Set<String>) -> TableInfo? {
    var table = self
    table.indexes = indexes.filter {
      $0.root > 0 && (known.contains($0.name) || $0.name.hasPrefix("sqlite_autoindex_"))
    }
    guard !isSpecial, !columns.contains(where: { $0.isHidden || $0.isRequired }),
      table.indexes.allSatisfy(isOfIntegers)
    else { return nil }
    return table
  }

  /// The table with the indexes that a check of the file compares with its rows; `nil` if it has something that cannot be
  /// checked.
  ///
  /// Rows without row ids are in the tree of an index, whose order cannot be checked otherwise.
  func checked(except left: Set<String>) -> TableInfo? {
    var table = self
    table.indexes = indexes.filter { $0.root > 0 && !left.contains($0.name) }
    let isUnusual = table.indexes.contains { $0.isPartial || $0.columns.contains { $0 < -1 } }
    return hasRowID && !isUnusual && !columns.contains(where: \.isHidden) ? table : nil
  }

  private func isOfIntegers(_ index: Index) -> Bool {
    !index.isPartial && index.columns.count <= Index.mostColumns
      && Set(index.columns).count == index.columns.count
      && index.columns.allSatisfy {
        columns.indices.contains($0) && columns[$0].affinity == .integer
      }
  }

  /// Whether a table may keep the highest key that it ever handed out, have no row ids, or convert values otherwise.
  ///
  /// The words that declare this may also be names in the statement; then SQLite writes the table.
  private var isSpecial: Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let words = sql.utf8.split { !letters.contains($0 | 0x20) && $0 != UInt8(ascii: "_") }
    return words.contains { word in
      word.count >= 6
        && ["AUTOINCREMENT", "WITHOUT", "STRICT"].contains(Substring(word).uppercased())
    }
  }
}

extension Connection {
  /// A table that has rows of its own; `nil` if there is none with the name.
  package func table(
    _ name: String,
    in schema: String = "main"
  ) throws(SQLiteError) -> TableInfo? {
    guard let entry = try schemaEntry(name, in: schema), entry.root > 1,
      let root = UInt32(exactly: entry.root)
    else { return nil }
    let quoted = SQLText.quoted(literal: name)
    var hasRowID = true
    if entry.sql.uppercased().contains("WITHOUT") {
      // SQLite reports the columns of a key by this pragma only for a table whose rows have no row ids.
      hasRowID = try value("SELECT 1 FROM pragma_index_info(\(quoted), '\(schema)')") == nil
    }
    return TableInfo(
      name: name,
      root: root,
      sql: entry.sql,
      columns: try columns(of: name, in: schema),
      indexes: try indexes(of: name, in: schema),
      hasRowID: hasRowID
    )
  }

  /// The columns of a table or a view in their order, hidden ones included; none if it does not exist.
  package func columns(
    of table: String,
    in schema: String = "main"
  ) throws(SQLiteError) -> [TableInfo.Column] {
    let info = try prepare("PRAGMA \(schema).table_xinfo(\(SQLText.quoted(literal: table)))")
    var result: [TableInfo.Column] = []
    while try info.step() {
      result.append(
        TableInfo.Column(
          name: info.text(at: 1),
          declaredType: info.text(at: 2),
          isRequired: info.int64(at: 3) != 0,
          hasDefault: info.storageClass(at: 4) != .null,
          keyPosition: Int(info.int64(at: 5)),
          isHidden: info.int64(at: 6) != 0
        )
      )
    }
    return result
  }

  private func indexes(
    of table: String,
    in schema: String
  ) throws(SQLiteError) -> [TableInfo.Index] {
    let list = try prepare("PRAGMA \(schema).index_list(\(SQLText.quoted(literal: table)))")
    var result: [(rowID: Int64, index: TableInfo.Index)] = []
    while try list.step() {
      let name = list.text(at: 1)
      let entry = try schemaEntry(name, isIndex: true, in: schema)
      let terms = try prepare("PRAGMA \(schema).index_xinfo(\(SQLText.quoted(literal: name)))")
      var (columns, descends, collations): ([Int], [Bool], [String]) = ([], [], [])
      while try terms.step() {
        // The row id, or the key of a table without row ids, follows.
        guard terms.int64(at: 5) != 0 else { break }
        columns.append(Int(terms.int64(at: 1)))
        descends.append(terms.int64(at: 3) != 0)
        collations.append(terms.text(at: 4).uppercased())
      }
      let index = TableInfo.Index(
        name: name,
        root: entry.flatMap { UInt32(exactly: $0.root) } ?? 0,
        origin: list.text(at: 3),
        isUnique: list.int64(at: 2) != 0,
        isPartial: list.int64(at: 4) != 0,
        columns: columns,
        descends: descends,
        collations: collations
      )
      result.append((entry?.rowID ?? 0, index))
    }
    return result.sorted { $0.rowID < $1.rowID }.map(\.index)
  }
}

extension Connection {
  private typealias SchemaEntry = (root: Int64, sql: String, rowID: Int64)

  private func schemaEntry(
    _ name: String,
    isIndex: Bool = false,
    in schema: String = "main"
  ) throws(SQLiteError) -> SchemaEntry? {
    if let known = try knownEntry(name, isIndex: isIndex, in: schema) { return known }
    let rows = try prepare(
      "SELECT rowid, name FROM \(schema).sqlite_schema WHERE type IN ('table', 'index')"
    )
    var rowIDs: [String: Int64] = [:]
    while try rows.step() { rowIDs[rows.text(at: 1)] = rows.int64(at: 0) }
    schemaRows[schema] = rowIDs
    return try knownEntry(name, isIndex: isIndex, in: schema)
  }

  /// An entry whose row is where it was; `nil` if it is not.
  private func knownEntry(
    _ name: String,
    isIndex: Bool,
    in schema: String
  ) throws(SQLiteError) -> SchemaEntry? {
    guard let rowID = schemaRows[schema]?[name] else { return nil }
    let row = try prepare(
      "SELECT rootpage, sql FROM \(schema).sqlite_schema WHERE rowid = \(rowID) "
        + "AND type = '\(isIndex ? "index" : "table")' AND name = \(SQLText.quoted(literal: name))"
    )
    return try row.step() ? (row.int64(at: 0), row.text(at: 1), rowID) : nil
  }

  package func root(ofTable name: String) throws(SQLiteError) -> UInt32? {
    guard let entry = try schemaEntry(name), entry.root > 1 else { return nil }
    return UInt32(exactly: entry.root)
  }
}
