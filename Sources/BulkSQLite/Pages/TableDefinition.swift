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
    let quoted = SQLText.quoted(literal: name)
    // It has no row ids, or converts values otherwise.
    let special = try connection.value(
      "SELECT 1 FROM pragma_table_list(\(quoted)) WHERE schema = 'main' AND (wr OR strict)"
    )
    guard special == nil, let entry = try connection.schemaEntry(name),
      let root = UInt32(exactly: entry.root), !Self.countsKeys(entry.sql)
    else { return nil }
    let columns = try connection.columns(of: name)
    guard !columns.contains(where: { $0.isHidden || $0.isRequired }),
      let indexes = try Self.indexes(of: quoted, known, columns, connection)
    else { return nil }
    self.name = name
    self.root = root
    self.columns = columns
    key = try connection.rowIDColumn(of: name, columns)
    self.indexes = indexes
  }

  /// The indexes of a table; `nil` if one of them cannot be built without SQLite.
  private static func indexes(
    of table: String,
    _ known: Set<String>,
    _ columns: [DeclaredColumn],
    _ connection: Connection
  ) throws(SQLiteError) -> [Index]? {
    var result: [(rowID: Int64, index: Index)] = []
    let list = try connection.prepare(
      "SELECT name, \"unique\", partial FROM pragma_index_list(\(table), 'main')"
    )
    while try list.step() {
      let name = list.text(at: 0)
      guard known.contains(name) || name.hasPrefix("sqlite_autoindex_"),
        let entry = try connection.schemaEntry(name, isIndex: true)
      else { continue }
      guard list.int64(at: 2) == 0, let root = UInt32(exactly: entry.root) else { return nil }
      var (places, descends): ([Int], [Bool]) = ([], [])
      let terms = try connection.prepare(
        "PRAGMA main.index_xinfo(\(SQLText.quoted(literal: name)))"
      )
      while try terms.step() {
        // The row id follows the key.
        guard terms.int64(at: 5) != 0 else { break }
        let place = Int(terms.int64(at: 1))
        guard columns.indices.contains(place), columns[place].affinity == .integer else {
          return nil
        }
        places.append(place)
        descends.append(terms.int64(at: 3) != 0)
      }
      guard places.count <= Index.mostColumns, Set(places).count == places.count else { return nil }
      let index = Index(
        name: name,
        root: root,
        columns: places,
        descends: descends,
        isUnique: list.int64(at: 1) != 0
      )
      result.append((entry.rowID, index))
    }
    return result.sorted { $0.rowID < $1.rowID }.map(\.index)
  }

  /// Whether a table keeps the highest key that it ever handed out.
  private static func countsKeys(_ sql: String) -> Bool {
    sql.uppercased().split { !$0.isLetter && $0 != "_" }.contains("AUTOINCREMENT")
  }
}
