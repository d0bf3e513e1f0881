internal import BulkStore

/// The rows of the source that hold the pairs of a route of one relationship, or of none: an object where
/// it begins, and one where it ends.
struct PairRows: Sendable {
  /// The table whose rows are read in order.
  let table: String
  /// The key of the object where the route begins.
  let nearKey: ColumnExpression
  /// The key of the object where it ends.
  let farKey: ColumnExpression
  /// The place of the far object among those of the near one, where the source has it.
  let farPlace: ColumnExpression?
  /// The place of the near object among those of the far one, where the source has it.
  let nearPlace: ColumnExpression?

  /// The rows of a route from objects of a table; `nil` where it has several relationships, or one that
  /// is not stored.
  init?(_ route: SourceRoute, from start: String, in source: StoreSchema) {
    if route.hops.count == 1, let rows = JoinRows(route.hops[0], in: source) {
      table = rows.table
      nearKey = .column(rows.ownerColumn)
      farKey = .column(rows.memberColumn)
      farPlace = rows.memberOrderColumn.map { .column($0) }
      nearPlace = rows.ownerOrderColumn.map { .column($0) }
      return
    }
    guard route.hops.isEmpty else { return nil }
    table = start
    nearKey = .column("Z_PK")
    farKey = .column("Z_PK")
    farPlace = nil
    nearPlace = nil
  }
}
