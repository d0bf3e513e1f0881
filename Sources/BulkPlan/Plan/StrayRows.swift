package import BulkStore

extension MigrationPlan {
  /// Rows of a source table with a `Z_ENT` that no entity of the table has; they are left out, as Core Data never fetches
  /// them.
  public struct StrayRows: Codable, Hashable, Sendable {
    /// The table.
    public var table: String
    /// The numbers of the entities that the table may hold.
    public var entities: [Int64]
    /// The number of rows.
    public var rows: Int64
    /// The least key of them.
    public var firstKey: Int64
    /// The `Z_ENT` of the row with this key, as SQL writes it.
    public var firstNumber: String

    init(_ rows: BulkStore.StrayRows) {
      (table, entities, self.rows) = (rows.table, rows.entities, rows.count)
      (firstKey, firstNumber) = (rows.firstKey, rows.firstNumber)
    }

    /// The rows, to be skipped by what opens the source.
    package var stored: BulkStore.StrayRows {
      .init(
        table: table,
        entities: entities,
        count: rows,
        firstKey: firstKey,
        firstNumber: firstNumber
      )
    }

    /// The loss of the rows.
    var loss: Loss { Loss(.objects, table, rows, by: .stray, reason: description) }
  }
}

extension MigrationPlan.StrayRows: CustomStringConvertible {
  /// The fault, with the place of the first row.
  public var description: String {
    "the \(rows == 1 ? "row" : "first row") with key \(firstKey) has Z_ENT \(firstNumber), which is not the number of an "
      + "entity of the table, so Core Data never fetches it"
  }
}
