/// An index of a table as the schema declares it.
struct DeclaredIndex {
  let name: String
  let isUnique: Bool
  /// `c` for one that a statement made, `u` and `pk` for those of constraints.
  let origin: String
  let isPartial: Bool
}

extension [DeclaredColumn] {
  /// The index of the column that is another name of the row id, in a table with some indexes.
  ///
  /// An integer key in descending order is not; then SQLite has an index for it.
  func rowIDColumn(_ indexes: [DeclaredIndex]) -> Int? {
    guard let key = firstIndex(where: \.isIntegerKey), count(where: \.isInKey) == 1,
      !indexes.contains(where: { $0.origin == "pk" })
    else { return nil }
    return key
  }
}

extension Connection {
  /// The indexes of a table, the newest first.
  func indexes(
    of table: String,
    in schema: String = "main"
  ) throws(SQLiteError) -> [DeclaredIndex] {
    let list = try prepare("PRAGMA \(schema).index_list(\(SQLText.quoted(literal: table)))")
    var result: [DeclaredIndex] = []
    while try list.step() {
      result.append(
        DeclaredIndex(
          name: list.text(at: 1),
          isUnique: list.int64(at: 2) != 0,
          origin: list.text(at: 3),
          isPartial: list.int64(at: 4) != 0
        )
      )
    }
    return result
  }

  /// The columns of the key of an index, most significant first: their indexes in the table, negative for expressions
  /// and the row id, and whether their values descend.
  func terms(
    ofIndex name: String,
    in schema: String = "main"
  ) throws(SQLiteError) -> (columns: [Int], descends: [Bool]) {
    let terms = try prepare("PRAGMA \(schema).index_xinfo(\(SQLText.quoted(literal: name)))")
    var result: (columns: [Int], descends: [Bool]) = ([], [])
    while try terms.step() {
      // The row id follows the key.
      guard terms.int64(at: 5) != 0 else { break }
      result.columns.append(Int(terms.int64(at: 1)))
      result.descends.append(terms.int64(at: 3) != 0)
    }
    return result
  }
}
