internal import BulkStore

/// The rows of the source that hold the pairs of a route: an object where it begins, and one where it
/// ends.
struct PairRows: Sendable {
  /// The table whose rows are read in order.
  let table: String
  /// Further tables along the route.
  let joins: [RowTransfer.Join]
  /// The key of the object where the route begins.
  let nearKey: ColumnExpression
  /// The key of the object where it ends.
  let farKey: ColumnExpression
  /// The place of the far object among those of the near one, where the source has it.
  let farPlace: ColumnExpression?
  /// The place of the near object among those of the far one, where the source has it.
  let nearPlace: ColumnExpression?

  /// The rows of a route from objects of a table; `nil` where a relationship is not stored.
  init?(_ route: SourceRoute, from start: String, in source: StoreSchema) {
    if route.hops.count == 1, let rows = JoinRows(route.hops[0], in: source) {
      table = rows.table
      joins = []
      nearKey = .column(rows.ownerColumn)
      farKey = .column(rows.memberColumn)
      farPlace = rows.memberOrderColumn.map { .column($0) }
      nearPlace = rows.ownerOrderColumn.map { .column($0) }
      return
    }
    var key = ColumnExpression.column("Z_PK")
    var joins: [RowTransfer.Join] = []
    for (index, hop) in route.hops.enumerated() {
      guard let rows = JoinRows(hop, in: source) else { return nil }
      let alias = "h\(index)"
      joins.append(.init(rows.table, as: alias, where: rows.ownerColumn, is: key))
      key = .joinedColumn(rows.memberColumn, of: alias)
    }
    table = start
    self.joins = joins
    nearKey = .column("Z_PK")
    farKey = key
    farPlace = nil
    nearPlace = nil
  }
}
