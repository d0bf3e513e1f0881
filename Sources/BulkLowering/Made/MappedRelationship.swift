/// The assignment of an entity mapping to a relationship of its objects.
struct MappedRelationship: Sendable {
  /// What is assigned.
  enum Value: Sendable {
    /// No object.
    case nothing
    /// The objects that some mappings made from those at the end of a path, source object by source object,
    /// and for each in the order of the mappings.
    case objects(RelationshipPath, madeBy: [InstanceMapping])
  }

  /// The index of the relationship among those of the mapping, which are assigned in that order.
  let position: Int
  /// What is assigned.
  let value: Value

  /// The mappings that may have made the objects, in the order of the mapping model.
  var makers: [InstanceMapping] {
    if case .objects(_, let makers) = value { makers } else { [] }
  }
}
