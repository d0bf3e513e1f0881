internal import BulkStore

/// A source relationship from which a destination relationship gets its pairs.
struct SourceLink: Hashable, Sendable {
  /// The source relationship.
  let key: PropertyKey
  /// Whether the destination relationship has the opposite direction.
  let isReversed: Bool
}

extension StoreSchema {
  /// The rows of a link, seen from its near end; `nil` where the relationship is not stored.
  func rows(of link: SourceLink) -> RelationshipRows? {
    rows(of: link.key).map { link.isReversed ? $0.reversed : $0 }
  }
}
