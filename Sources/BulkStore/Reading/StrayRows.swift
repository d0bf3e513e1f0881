internal import BulkSQLite

/// Rows of a table with a `Z_ENT` that no entity of the table has.
///
/// Core Data never fetches them.
package struct StrayRows: Hashable, Sendable {
  package let table: String
  /// The numbers of the entities that the table may hold.
  package let entities: [Int64]
  package let count: Int64
  /// The least key of them, and its `Z_ENT` in SQL.
  package let firstKey: Int64
  package let firstNumber: String

  package init(
    table: String,
    entities: [Int64],
    count: Int64,
    firstKey: Int64,
    firstNumber: String
  ) {
    (self.table, self.entities, self.count) = (table, entities, count)
    (self.firstKey, self.firstNumber) = (firstKey, firstNumber)
  }

  /// Finds those of a table; `nil` if there are none.
  ///
  /// Indexes are not used: a corrupt one may have other numbers than the rows.
  ///
  /// - Throws: ``StoreError`` if the table cannot be read.
  package init?(
    in table: String,
    of store: PersistentStore,
    besides entities: Set<Int64>
  ) throws(StoreError) {
    let entities = entities.sorted()
    let statement = try store.connection.prepare(
      "SELECT count(*), min(rowid), quote(Z_ENT) FROM \(SQLText.quoted(table)) NOT INDEXED WHERE "
        + Self.condition(besides: entities)
    )
    guard try statement.step(), statement.int64(at: 0) > 0 else { return nil }
    self.init(
      table: table,
      entities: entities,
      count: statement.int64(at: 0),
      firstKey: statement.int64(at: 1),
      firstNumber: statement.text(at: 2)
    )
  }

  private static func condition(besides entities: [Int64]) -> String {
    "(typeof(Z_ENT) <> 'integer' OR Z_ENT NOT IN (\(ColumnExpression.list(entities))))"
  }

  /// Removes the rows from a copy of the store, with the entries of indexes; triggers are off.
  func remove(from connection: Connection) throws(StoreError) {
    try connection.execute(
      "DELETE FROM main.\(SQLText.quoted(table)) WHERE \(Self.condition(besides: entities))"
    )
  }
}
