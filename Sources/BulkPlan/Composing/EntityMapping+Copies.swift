internal import BulkMapping

extension EntityMapping {
  /// The attribute of the source that one of the destination takes over as it is.
  func copiedAttribute(for name: String) -> String? {
    let mapping = attributeMappings.first { $0.name == name }
    guard let expression = mapping?.valueExpression,
      case .copy(let source) = InferredMeaning(expression)
    else { return nil }
    return source
  }

  /// The attribute of the source that one of the destination takes over, with or without a default value
  /// in the place of nil.
  func takenAttribute(for name: String) -> String? {
    let mapping = attributeMappings.first { $0.name == name }
    if let expression = mapping?.valueExpression,
      case .copyOrDefault(let source) = InferredMeaning(expression)
    {
      return source
    }
    return copiedAttribute(for: name)
  }

  /// The relationship of the source that one of the destination takes over.
  func copiedRelationship(for name: String) -> String? {
    let mapping = relationshipMappings.first { $0.name == name }
    guard let expression = mapping?.valueExpression,
      case .instances(let path, _) = RelationshipMeaning(expression), path.count == 1
    else { return nil }
    return path[0]
  }
}
