internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The source properties from which those of the destination get their values, over one inferred step or
/// several.
struct PropertyOrigins {
  private var origins: [PropertyKey: PropertyKey] = [:]

  init(_ mapping: MappingModel) {
    for mapping in mapping.entityMappings {
      guard let source = mapping.sourceEntityName, let destination = mapping.destinationEntityName
      else { continue }
      for property in mapping.attributeMappings {
        switch mapping.attribute(property.name) {
        case .copy(let name), .copyOrDefault(let name):
          origins[PropertyKey(destination, property.name)] = PropertyKey(source, name)
        case .defaultValue, .constant, .policy, .expression: continue
        }
      }
      for property in mapping.relationshipMappings {
        guard let name = mapping.relationship(property.name)?.continuedRelationship else {
          continue
        }
        origins[PropertyKey(destination, property.name)] = PropertyKey(source, name)
      }
    }
  }

  func after(_ earlier: PropertyOrigins) -> PropertyOrigins {
    var result = self
    result.origins = origins.compactMapValues { earlier.origins[$0] }
    return result
  }

  /// The properties that have an origin here but none in the other, each with its origin, by name.
  func missing(in other: PropertyOrigins) -> [(property: PropertyKey, origin: PropertyKey)] {
    origins.filter { other.origins[$0.key] == nil }
      .sorted { CodeUnitOrder.precedes($0.key.description, $1.key.description) }
      .map { (property: $0.key, origin: $0.value) }
  }

  /// The properties that have another origin in the other, or none there, or none here, each with its origin there, by
  /// name.
  func others(in other: PropertyOrigins) -> [(property: PropertyKey, origin: PropertyKey?)] {
    Set(origins.keys).union(other.origins.keys)
      .filter { origins[$0] != other.origins[$0] }
      .sorted { CodeUnitOrder.precedes($0.description, $1.description) }
      .map { (property: $0, origin: other.origins[$0]) }
  }
}
