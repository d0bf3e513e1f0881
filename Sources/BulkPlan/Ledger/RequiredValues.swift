internal import BulkMapping
internal import BulkModel

/// Finds required properties to which an inferred step gives no value.
struct RequiredValues {
  let destination: ManagedObjectModel
  let rows: (String) -> Int64

  static func refusal(_ place: String, isNew: Bool, _ count: Int64) -> String {
    "\(place) is \(isNew ? "new, required" : "required now") and without a default value, but would be nil in "
      + "\(count) \(count == 1 ? "object" : "objects"); make it optional, give it a default value, or write a "
      + "mapping model"
  }

  /// The reasons why the rows refuse the step, a sentence for each new required attribute.
  func refusals(_ mapping: EntityMapping) -> [String] {
    guard let (entity, rows) = filled(by: mapping) else { return [] }
    let given = Self.given(mapping.attributeMappings)
    return destination.attributes(of: entity).filter {
      $0.needsValue && !given.contains($0.name)
    }.map { Self.refusal("\(entity.name).\($0.name)", isNew: true, rows) }
  }

  /// Warnings of required relationships that an entity mapping leaves nil, a sentence each.
  func warnings(_ mapping: EntityMapping) -> [String] {
    guard let (entity, rows) = filled(by: mapping) else { return [] }
    let given = Self.given(mapping.relationshipMappings)
    return destination.relationships(of: entity).filter {
      $0.isMandatory && !given.contains($0.name)
    }.map {
      "\(entity.name).\($0.name) is required, but new and without a default value: it is nil in "
        + "\(rows) \(rows == 1 ? "object" : "objects")"
    }
  }

  /// The entity whose objects a mapping makes, and their number; `nil` if it makes none.
  private func filled(by mapping: EntityMapping) -> (EntityDescription, Int64)? {
    guard let source = mapping.sourceEntityName, rows(source) > 0,
      let entity = destination.entity(named: mapping.destinationEntityName)
    else { return nil }
    return (entity, rows(source))
  }

  private static func given(_ properties: [PropertyMapping]) -> Set<String> {
    Set(properties.filter { $0.valueExpression != nil }.map(\.name))
  }
}
