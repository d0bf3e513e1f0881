/// A column of a table as the schema declares it.
struct DeclaredColumn {
  let name: String
  let type: String
  let isRequired: Bool
  let hasDefault: Bool
  let isInKey: Bool
  /// Whether its value is computed, or it belongs to a virtual table.
  let isHidden: Bool

  var affinity: ColumnAffinity { ColumnAffinity(declaredType: type) }

  /// Whether it may be another name of the row id.
  ///
  /// Source: “ROWIDs and the INTEGER PRIMARY KEY”, section 5 of SQLite's documentation of CREATE TABLE.
  var isIntegerKey: Bool { isInKey && type.uppercased() == "INTEGER" }
}

extension Connection {
  /// The columns of a table in their order, hidden ones included; none if the table does not exist.
  func columns(
    of table: String,
    in schema: String = "main"
  ) throws(SQLiteError) -> [DeclaredColumn] {
    let info = try prepare("PRAGMA \(schema).table_xinfo(\(SQLText.quoted(literal: table)))")
    var result: [DeclaredColumn] = []
    while try info.step() {
      result.append(
        DeclaredColumn(
          name: info.text(at: 1),
          type: info.text(at: 2),
          isRequired: info.int64(at: 3) != 0,
          hasDefault: info.storageClass(at: 4) != .null,
          isInKey: info.int64(at: 5) > 0,
          isHidden: info.int64(at: 6) != 0
        )
      )
    }
    return result
  }

  /// The root page of a table or an index; `nil` if there is none.
  package func root(
    ofTable name: String,
    isIndex: Bool = false,
    in schema: String = "main"
  ) throws(SQLiteError) -> UInt32? {
    guard let entry = try schemaEntry(name, isIndex: isIndex, in: schema), entry.root > 1 else {
      return nil
    }
    return UInt32(exactly: entry.root)
  }
}
