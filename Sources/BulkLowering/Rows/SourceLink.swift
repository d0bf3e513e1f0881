internal import BulkStore

/// A relationship of the source from which a destination relationship takes its pairs.
struct SourceLink: Hashable, Sendable {
  /// The source relationship.
  let key: PropertyKey
  /// Whether the destination relationship runs the other way.
  let isReversed: Bool
}

extension StoreSchema {
  /// The rows that hold a link, seen from its near end; `nil` where the relationship is not stored.
  func rows(of link: SourceLink) -> RelationshipRows? {
    rows(of: link.key).map { link.isReversed ? $0.reversed : $0 }
  }
}
