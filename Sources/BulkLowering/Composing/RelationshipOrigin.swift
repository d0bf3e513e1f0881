internal import BulkMapping

/// The objects from which those of a relationship of a version are made.
enum RelationshipOrigin: Hashable {
  /// None: the relationship is new.
  case nothing
  /// Those at the end of a path in the version before, by some of the entity mappings.
  case path([String], by: [EntityMapping])
}
