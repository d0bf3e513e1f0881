internal import BulkMapping

/// What the objects of a relationship of a version were made from.
enum RelationshipOrigin: Hashable {
  /// There are none: the relationship is new.
  case nothing
  /// From those at the end of a path in the version before, by some of the entity mappings.
  case path([String], by: [EntityMapping])
}
