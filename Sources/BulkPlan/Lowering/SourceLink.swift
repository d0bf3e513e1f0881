internal import BulkStore

/// A relationship of the source from which a destination relationship takes its pairs.
struct SourceLink: Hashable, Sendable {
  /// The source relationship.
  let key: PropertyKey
  /// Whether the destination relationship runs the other way.
  let isReversed: Bool
}

/// Where a row of the source finds its partner along a link.
enum RowLink: Hashable, Sendable {
  /// In columns of its own.
  case own(column: String, entityColumn: String?, orderColumn: String?)
  /// In rows of another table.
  case elsewhere(LinkLookup)

  /// The key of the one partner.
  var key: ColumnExpression {
    switch self {
    case .own(let column, _, _): .column(column)
    case .elsewhere(let lookup): .firstPartner(lookup)
    }
  }

  /// The same way, to partners of some entities only where it chooses among several.
  func among(_ partners: LinkLookup.Partners?) -> RowLink {
    guard let partners, case .elsewhere(let lookup) = self else { return self }
    return .elsewhere(lookup.among(partners))
  }

  /// The row's place among those of its partner.
  var place: ColumnExpression {
    switch self {
    case .own(_, _, let order?): .column(order)
    case .elsewhere(let lookup) where lookup.placeColumn != nil: .placeAtFirstPartner(lookup)
    case .own, .elsewhere: .null
    }
  }
}
