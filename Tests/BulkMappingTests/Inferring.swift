import BulkMapping
import BulkModel
import BulkTestSupport

/// A mapping model in lines that a person can check: `NAME KIND SOURCE -> DESTINATION`, and below it
/// `PROPERTY = EXPRESSION`.
func lines(_ mapping: MappingModel) -> [String] {
  mapping.entityMappings.flatMap { entity -> [String] in
    let source = entity.sourceEntityName ?? "nothing"
    let destination = entity.destinationEntityName ?? "nothing"
    let properties = entity.attributeMappings + entity.relationshipMappings
    return ["\(entity.name) \(entity.kind) \(source) -> \(destination)"]
      + properties.map { "  \($0.name) = \($0.valueExpression?.description ?? "its default") " }
      .map { String($0.dropLast()) }
  }
}

/// The inferred mapping of one entity to another, in lines.
func inferred(_ source: EntityDescription, _ destination: EntityDescription) throws -> [String] {
  lines(try MappingModel.inferred(from: .of(source), to: .of(destination)))
}

/// Why no mapping can be inferred, a line a refusal: `ENTITY.PROPERTY: REASON`.
func refusals(
  from source: ManagedObjectModel,
  to destination: ManagedObjectModel
) throws -> [String] {
  do throws(InferenceError) {
    let mapping = try MappingModel.inferred(from: source, to: destination)
    return ["nothing is refused"] + lines(mapping)
  } catch {
    return error.refusals.map { refusal in
      "\([refusal.entity, refusal.property].compactMap(\.self).joined(separator: ".")): "
        + refusal.reason
    }
  }
}

/// Why no mapping between two entities can be inferred.
func refusals(_ source: EntityDescription, _ destination: EntityDescription) throws -> [String] {
  try refusals(from: .of(source), to: .of(destination))
}
