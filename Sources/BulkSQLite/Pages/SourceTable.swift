/// A table of the source whose records are read without SQLite.
package struct SourceTable {
  /// The page with the root of its tree.
  let root: UInt32
  /// The path of the file.
  let path: String
  /// The names of its columns in capitals.
  private let names: [String]
  /// The index of the column that is another name of the row id.
  private let key: Int?
  /// The columns whose integers are read as reals.
  let reals: Set<Int>

  /// A table of an attached source.
  ///
  /// - Returns: `nil` if its rows hold more than its records, such as computed columns.
  /// - Throws: ``SQLiteError`` if the schema cannot be read.
  package init?(_ name: String, path: String, _ connection: Connection) throws(SQLiteError) {
    let quoted = SQLText.quoted(literal: name)
    let root = try connection.value(
      "SELECT rootpage FROM source.sqlite_schema WHERE type = 'table' AND name = \(quoted)"
    )
    guard case .integer(let number) = root, let page = UInt32(exactly: number) else { return nil }
    var names: [String] = []
    var keys: [(Int, String)] = []
    var reals: Set<Int> = []
    let info = try connection.prepare("PRAGMA source.table_xinfo(\(quoted))")
    while try info.step() {
      // A record may lack the last columns, which then have their default values.
      guard info.int64(at: 6) == 0, info.storageClass(at: 4) == .null else { return nil }
      let type = info.text(at: 2)
      if info.int64(at: 5) > 0 { keys.append((names.count, type.uppercased())) }
      if ColumnAffinity(declaredType: type) == .real { reals.insert(names.count) }
      names.append(info.text(at: 1).uppercased())
    }
    let isAlias = keys.count == 1 && keys[0].1 == "INTEGER"
    // An integer key in descending order is no other name of the row id; then SQLite has an index for it.
    let hasIndex = try connection.value(
      "SELECT 1 FROM source.sqlite_schema WHERE type = 'index' AND tbl_name = \(quoted) "
        + "AND name LIKE 'sqlite_autoindex_%'"
    )
    guard !isAlias || hasIndex == nil else { return nil }
    self.root = page
    self.path = path
    self.names = names
    self.reals = reals
    key = isAlias ? keys[0].0 : nil
  }

  /// The value of a column; `nil` if there is no such column.
  package func field(_ name: String) -> RecordCopy.Field? {
    guard let column = names.firstIndex(of: name.uppercased()) else {
      return name == "rowid" ? .rowID(plus: 0) : nil
    }
    return column == key ? .rowID(plus: 0) : .column(column)
  }
}
