import BulkMapping
import BulkModel

/// A mapping model in lines that a person can check: `NAME KIND SOURCE -> DESTINATION`, and below it
/// `PROPERTY = EXPRESSION`.
func lines(_ mapping: MappingModel) -> [String] {
  mapping.entityMappings.flatMap { entity -> [String] in
    let source = entity.sourceEntityName ?? "nothing"
    let destination = entity.destinationEntityName ?? "nothing"
    let properties = entity.attributeMappings + entity.relationshipMappings
    return ["\(entity.name) \(entity.kind) \(source) -> \(destination)"]
      + properties.map { "  \($0.name) = \($0.valueExpression.map(inWords) ?? "its default")" }
  }
}

/// An expression; a key is one of the source, and requests for objects are in words.
func inWords(_ expression: ValueExpression) -> String {
  let request =
    /FUNCTION\(\$manager, "destinationInstancesFor(\w+)Named:[^"]*", "(\w+)", ([^)]*)\)/
  let orDefault = /FUNCTION\(\$entityPolicy, "_nonNil[^"]*", "(\w+)", \$source, \$destination\)/
  let text = expression.description.replacing(request) { match -> String in
    let path = String(match.3).replacing("$source.", with: "")
    if match.1 == "EntityMapping" { return "\(match.2) of \(path)" }
    return path == String(match.2) ? "objects of \(path)" : "objects of \(path) as \(match.2)"
  }
  return text.replacing(orDefault) { match -> String in "\(match.1) or its default" }
    .replacing("$source.", with: "")
}
