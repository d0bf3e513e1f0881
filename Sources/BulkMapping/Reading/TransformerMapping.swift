internal import BulkModel

/// The transformers that a mapping needs for the attributes that it copies.
///
/// Core Data reads a transformable attribute as the object that its transformer makes of the stored bytes, and writes
/// what the other attribute's transformer makes of the object. So `$source.image` means a message to one or two
/// transformers here, unless both attributes have the same one: then the bytes stay.
struct TransformerMapping {
  let models: ModelPair

  /// The mapping in which transformers make values of bytes, and bytes of values, where an attribute of another
  /// type is at the other end.
  func reading(_ mapping: MappingModel) -> MappingModel { replacing(mapping) { $0.count == 1 } }

  /// The mapping in which values go from one transformer to another, if the program has both.
  func converting(_ mapping: MappingModel, _ isKnown: (String) -> Bool) -> MappingModel {
    replacing(mapping) { $0.count == 2 && $0.allSatisfy { isKnown($0.transformer.text) } }
  }

  /// The attributes whose bytes are copied although another transformer is to read them.
  func copied(_ mapping: MappingModel) -> [CopiedTransformable] {
    mapping.entityMappings.flatMap { entity in
      entity.attributeMappings.compactMap { property in
        let names = passage(of: property, in: entity)?.transformations.map(\.transformer.text) ?? []
        guard names.count == 2 else { return nil }
        return CopiedTransformable(
          mapping: entity.name,
          attribute: property.name,
          reader: names[0],
          writer: names[1]
        )
      }
    }
  }

  private func replacing(
    _ mapping: MappingModel,
    where isWanted: ([Transformation]) -> Bool
  ) -> MappingModel {
    var mapping = mapping
    for place in mapping.entityMappings.indices {
      let entity = mapping.entityMappings[place]
      for (index, property) in entity.attributeMappings.enumerated() {
        guard let (transformations, path) = passage(of: property, in: entity),
          isWanted(transformations)
        else { continue }
        mapping.entityMappings[place].attributeMappings[index].valueExpression =
          transformations.reduce(InferredValue.copy(path)) { $1.expression($0) }
      }
    }
    return mapping
  }

  /// The transformations of a copied value, in order, and the path of what is copied.
  private func passage(
    of property: PropertyMapping,
    in entity: EntityMapping
  ) -> (transformations: [Transformation], path: String)? {
    guard
      let target = models.destination.entity(named: entity.destinationEntityName),
      let to = models.destination.leaf(named: property.name, of: target)?.attribute, to.isStored,
      let path = entity.attribute(property.name).copiedPath(to),
      let start = models.source.entity(named: entity.sourceEntityName),
      let from = attribute(path, of: start)
    else { return nil }
    return (Self.transformations(from: from, to: to), path)
  }

  /// None, one where one of the attributes is transformable, or two where both are and the bytes differ in form.
  private static func transformations(
    from: AttributeDescription,
    to: AttributeDescription
  ) -> [Transformation] {
    let reading = Transformation(.reading, by: from.transformer)
    let writing = Transformation(.writing, by: to.transformer)
    return switch (from.attributeType, to.attributeType) {
    case (.transformable, .transformable):
      from.transformer.sharesForm(with: to.transformer) ? [] : [reading, writing]
    case (.transformable, let other): other.isPlain || other == .binaryData ? [reading] : []
    // Bytes are taken over as they are.
    case (let other, .transformable): other.isPlain ? [writing] : []
    case _: []
    }
  }

  /// The attribute at the end of a path of to-one relationships.
  private func attribute(_ path: String, of entity: EntityDescription) -> AttributeDescription? {
    if let own = models.source.leaf(named: path, of: entity)?.attribute { return own }
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let name = names.last,
      let (end, isToMany) = models.source.end(of: names.dropLast(), from: entity), !isToMany
    else { return nil }
    return models.source.leaf(named: name, of: end)?.attribute
  }
}

/// An attribute whose bytes are copied although another transformer is to read them.
package struct CopiedTransformable: Hashable, Sendable {
  package let mapping: String
  package let attribute: String
  /// The transformer in the source.
  package let reader: String
  /// The transformer in the destination.
  package let writer: String
}

extension MappingModel {
  /// The attributes whose bytes are copied although another transformer is to read them, in the order of the
  /// mapping.
  package func copiedTransformables(between models: ModelPair) -> [CopiedTransformable] {
    TransformerMapping(models: models).copied(self)
  }

  /// The mapping in which values go from one transformer to another, if the program has both.
  package func converting(between models: ModelPair, _ isKnown: (String) -> Bool) -> MappingModel {
    TransformerMapping(models: models).converting(self, isKnown)
  }

  /// The transformers that its expressions name, with what needs them, in the order of the mapping.
  package var transformers: [(name: String, mapping: String, property: String)] {
    entityMappings.flatMap { mapping in
      mapping.transformers.map { (name: $0.name, mapping: mapping.name, property: $0.property) }
    }
  }
}

extension EntityMapping {
  /// The transformers that the expressions name, with the property.
  fileprivate var transformers: [(name: String, property: String)] {
    var found: [(name: String, property: String)] = []
    func search(_ property: String) -> (ValueExpression) -> ValueExpression? {
      { part in
        guard let name = Transformation.name(part)?.text else { return nil }
        if !found.contains(where: { $0 == (name, property) }) { found.append((name, property)) }
        return part
      }
    }
    _ = filter?.replacing(search("filter"))
    _ = elements?.replacing(search("forEach"))
    for property in attributeMappings + relationshipMappings {
      _ = property.valueExpression?.replacing(search(property.name))
    }
    return found
  }
}

extension AttributeMeaning {
  /// The path of the attribute whose value is copied to another one, which has no value in place of nil.
  fileprivate func copiedPath(_ attribute: AttributeDescription) -> String? {
    switch self {
    case .copy(let path): path
    case .copyOrDefault(let name): attribute.defaultValue == nil ? name : nil
    case .defaultValue, .constant, .policy, .expression: nil
    }
  }
}

extension AttributeType {
  /// Whether values are texts, numbers or dates, and the like, which no transformer made.
  fileprivate var isPlain: Bool {
    kind.map { $0 != .binary } ?? false
  }
}
