extension EntityMapping {
  /// A mapping with its expressions as they are written in a mapping file.
  package static func of(
    _ source: String,
    _ destination: String,
    named name: String? = nil,
    where filter: String? = nil,
    policy: String? = nil,
    forEach elements: String? = nil,
    unique: [String]? = nil,
    keeping kept: ObjectUniqueness.Kept = .first,
    _ attributes: [String: String] = [:],
    _ relationships: [String: String] = [:]
  ) throws -> EntityMapping {
    var result = EntityMapping(
      name ?? "\(source)To\(destination)",
      policy == nil ? .transform : .custom,
      from: source,
      to: destination
    )
    result.entityMigrationPolicyClassName = policy
    result.elements = try elements.map { try ValueExpression(format: $0) }
    result.uniqueness = unique.map { ObjectUniqueness($0, keeping: kept) }
    result.filter = try filter.map { try ValuePredicate(format: $0) }
    result.attributeMappings = try attributes.sorted { $0.key < $1.key }
      .map { PropertyMapping($0.key, try ValueExpression(format: $0.value)) }
    result.relationshipMappings = try relationships.sorted { $0.key < $1.key }
      .map { PropertyMapping($0.key, try ValueExpression(format: $0.value)) }
    return result
  }
}

/// The expression for the objects that an entity mapping made of some source objects.
package func instances(_ mapping: String, _ sources: String) -> String {
  "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
    + "\"\(mapping)\", \(sources))"
}
