/// A table as its pages store it.
struct TableDefinition {
  /// An index over columns that hold integers.
  struct Index {
    let name: String
    let root: UInt32
    /// The indexes of its columns in the table, most significant first.
    let columns: [Int]
    /// Whether the values of a column descend, by its place in ``columns``.
    let descends: [Bool]
    let isUnique: Bool

    /// The maximum number of columns of an index whose entries certainly fit into their cells.
    static let mostColumns = 6
  }

  let name: String
  let root: UInt32
  let columns: [DeclaredColumn]
  /// The index of the column that is another name of the row id.
  let key: Int?
  let indexes: [Index]

  /// The definition of a table; `nil` if its pages cannot be built without SQLite.
  ///
  /// The indexes are built beside those that SQLite makes for keys; it builds all others later.
  ///
  /// - Throws: ``SQLiteError`` if the file cannot be read.
  init?(_ name: String, indexes known: Set<String>, _ connection: Connection) throws(SQLiteError) {
    guard let entry = try connection.schemaEntry(name), let root = UInt32(exactly: entry.root),
      !Self.isSpecial(entry.sql)
    else { return nil }
    let columns = try connection.columns(of: name)
    let declared = try connection.indexes(of: name)
    guard !columns.contains(where: { $0.isHidden || $0.isRequired }),
      let indexes = try Self.indexes(declared, known: known, columns, connection)
    else { return nil }
    self.name = name
    self.root = root
    self.columns = columns
    key = columns.rowIDColumn(declared)
    self.indexes = indexes
  }

  /// The indexes of a table; `nil` if one of them cannot be built without SQLite.
  private static func indexes(
    _ declared: [DeclaredIndex],
    known: Set<String>,
    _ columns: [DeclaredColumn],
    _ connection: Connection
  ) throws(SQLiteError) -> [Index]? {
    var result: [(rowID: Int64, index: Index)] = []
    for index in declared {
      guard known.contains(index.name) || index.name.hasPrefix("sqlite_autoindex_"),
        let entry = try connection.schemaEntry(index.name, isIndex: true)
      else { continue }
      let terms = try connection.terms(ofIndex: index.name)
      guard !index.isPartial, let root = UInt32(exactly: entry.root),
        terms.columns.allSatisfy({
          columns.indices.contains($0) && columns[$0].affinity == .integer
        }),
        terms.columns.count <= Index.mostColumns, Set(terms.columns).count == terms.columns.count
      else { return nil }
      let built = Index(
        name: index.name,
        root: root,
        columns: terms.columns,
        descends: terms.descends,
        isUnique: index.isUnique
      )
      result.append((entry.rowID, built))
    }
    return result.sorted { $0.rowID < $1.rowID }.map(\.index)
  }

  /// Whether a table may keep the highest key that it ever handed out, have no row ids, or convert values otherwise.
  ///
  /// The words that declare this may also be names in the statement; then SQLite writes the table.
  private static func isSpecial(_ sql: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let words = sql.utf8.split { !letters.contains($0 | 0x20) && $0 != UInt8(ascii: "_") }
    return words.contains { word in
      word.count >= 6
        && ["AUTOINCREMENT", "WITHOUT", "STRICT"].contains(Substring(word).uppercased())
    }
  }
}
