extension ManagedObjectModel {
  package static func of(_ entities: EntityDescription...) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: entities)
  }
}

extension EntityDescription {
  package init(
    _ name: String,
    under parent: String? = nil,
    id: String? = nil,
    isAbstract: Bool = false,
    _ attributes: [AttributeDescription] = [],
    _ relationships: [RelationshipDescription] = [],
    unique: [[String]] = []
  ) {
    self.init(name)
    superentityName = parent
    renamingIdentifier = id
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    uniquenessConstraints = unique
  }
}

extension AttributeDescription {
  package static func optional(
    _ name: String,
    _ type: AttributeType = .string,
    default value: AttributeValue? = nil,
    id: String? = nil
  ) -> AttributeDescription {
    var result = AttributeDescription(name, type)
    result.isOptional = true
    result.defaultValue = value
    result.renamingIdentifier = id
    return result
  }

  package static func composite(
    _ name: String,
    id: String? = nil,
    _ elements: [AttributeDescription]
  ) -> AttributeDescription {
    var result = optional(name, .composite, id: id)
    result.elements = elements
    return result
  }

  package static func required(
    _ name: String,
    _ type: AttributeType = .string,
    default value: AttributeValue? = nil,
    id: String? = nil
  ) -> AttributeDescription {
    var result = optional(name, type, default: value, id: id)
    result.isOptional = false
    return result
  }

  /// A binary attribute whose values may lie in files beside the store.
  package static func external(_ name: String) -> AttributeDescription {
    var result = optional(name, .binaryData)
    result.allowsExternalBinaryDataStorage = true
    return result
  }

  package static func derived(
    _ name: String,
    _ type: AttributeType,
    _ expression: ValueExpression
  ) -> AttributeDescription {
    var result = optional(name, type)
    result.derivationExpression = expression
    return result
  }
}

extension RelationshipDescription {
  /// An optional relationship to one object of an entity, which is named as `Note`, or as `Note.tags` with the inverse.
  package static func toOne(
    _ name: String,
    _ end: String,
    id: String? = nil
  ) -> RelationshipDescription {
    let names = end.split(separator: ".").map(String.init)
    var result = RelationshipDescription(name, to: names[0])
    result.isOptional = true
    result.inverseName = names.dropFirst().first
    result.renamingIdentifier = id
    return result
  }

  /// An optional relationship to many objects.
  package static func toMany(
    _ name: String,
    _ end: String,
    isOrdered: Bool = false,
    id: String? = nil
  ) -> RelationshipDescription {
    var result = toOne(name, end, id: id)
    result.isToMany = true
    result.maxCount = 0
    result.isOrdered = isOrdered
    return result
  }
}
