internal import BulkModel
internal import BulkStore

/// Finds what lies at the end of routes through the source, in SQL over a source row.
struct RouteReader: Sendable {
  private let source: StoreSchema
  private let links: LinkResolver

  init(_ source: StoreSchema, _ links: LinkResolver) {
    self.source = source
    self.links = links
  }

  /// The key of the one object at the end; `nil` where a relationship is not stored in rows of the near
  /// side.
  func key(_ route: SourceRoute) -> ColumnExpression? {
    var key = ColumnExpression.column("Z_PK")
    for (index, hop) in route.hops.enumerated() {
      guard let rows = links.rows(of: hop), rows.isInNearRow else { return nil }
      key =
        index == 0
        ? .column(rows.farColumn) : .columnOfRow(rows.farColumn, in: rows.nearTable, key: key)
    }
    return key
  }

  /// The row's place among those of the object at the end; NULL where the route has no order of its
  /// own.
  func place(_ route: SourceRoute) -> ColumnExpression {
    guard route.hops.count == 1 else { return .null }
    return links.rows(of: route.hops[0])?.placeAtPartner ?? .null
  }
}
