internal import BulkSQLite

/// The number of rows that cannot be read.
package struct UnreadableRows: Hashable, Sendable {
  package var count: Int64 = 0
  /// Whether there may be fewer.
  package var isUpperBound = false
}

/// Counts rows that cannot be read, by the rest of their table.
struct RowCounter {
  private let connection: Connection
  private let table: String
  private let isOfEntities: Bool
  /// The indexes that hold an entry for every row and compute nothing.
  private var indexes: [String] = []

  init(_ store: PersistentStore, of table: FileTable) throws(StoreError) {
    (connection, self.table) = (store.connection, SQLText.quoted(table.name))
    isOfEntities = table.column(named: "Z_ENT") != nil
    let list = try connection.prepare(
      "SELECT name FROM pragma_index_list(\(SQLText.quoted(literal: table.name))) AS l WHERE NOT partial "
        + "AND NOT EXISTS (SELECT 1 FROM pragma_index_info(l.name) WHERE cid < -1)"
    )
    while try list.step() { indexes.append(SQLText.quoted(list.text(at: 0))) }
  }

  /// The rows with keys in a range: as an index holds them; else at most as many as there are keys from 1 to the
  /// highest that was ever given, and as fit the file.
  func rows(with keys: ClosedRange<Int64>) throws(StoreError) -> UnreadableRows {
    for index in indexes {
      let entries =
        "SELECT count(*) FROM \(table) INDEXED BY \(index) "
        + "WHERE rowid BETWEEN \(keys.lowerBound) AND \(keys.upperBound)"
      // The index may be corrupt, too.
      if let count = try? connection.integer(entries) { return UnreadableRows(count: count) }
    }
    let first = keys.lowerBound == .min ? min(1, keys.upperBound) : keys.lowerBound
    let highest = isOfEntities ? "iif(highest < \(first), NULL, highest)" : "NULL"
    let last = "ifnull(min(\(keys.upperBound), \(highest)), \(keys.upperBound))"
    // A row takes six bytes at least: four of its own, and two of its place.
    let most = try connection.integer(
      "SELECT CAST(min(1.0 + \(last) - (\(first)), page_count * page_size / 6) AS INTEGER) FROM pragma_page_count, "
        + "pragma_page_size, (SELECT max(Z_MAX) AS highest FROM Z_PRIMARYKEY)"
    )
    return UnreadableRows(count: most ?? 0, isUpperBound: true)
  }
}
