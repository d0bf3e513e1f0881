internal import BulkModel

/// The transformers that a mapping needs for the attributes that it copies.
///
/// Core Data reads a transformable attribute as the object that its transformer makes of the stored bytes, and writes
/// what the other attribute's transformer makes of the object. So `$source.image` means a message to a transformer
/// where only one of the two attributes is transformable. Where both are, bytes are copied, which another transformer
/// cannot read.
struct TransformerMapping {
  let models: ModelPair

  /// The mapping in which transformers make values of bytes, and bytes of values, where an attribute of another
  /// type is at the other end.
  func reading(_ mapping: MappingModel) -> MappingModel {
    var mapping = mapping
    for position in mapping.entityMappings.indices {
      let entity = mapping.entityMappings[position]
      for (index, property) in entity.attributeMappings.enumerated() {
        guard let copy = copy(property, in: entity), let transformation = copy.transformation else {
          continue
        }
        mapping.entityMappings[position].attributeMappings[index].valueExpression =
          transformation.expression(InferredValue.copy(copy.path))
      }
    }
    return mapping
  }

  /// The transformers of a copied attribute that differ in form: that of the source, and that of the destination.
  func change(
    of property: PropertyMapping,
    in entity: EntityMapping
  ) -> (reader: String, writer: String)? {
    guard let copy = copy(property, in: entity), copy.to.attributeType == .transformable,
      copy.from.attributeType == .transformable,
      !copy.from.transformer.sharesForm(with: copy.to.transformer)
    else { return nil }
    return (copy.from.transformer.text, copy.to.transformer.text)
  }

  /// An attribute whose value is copied, and the path to it.
  private struct Copy {
    let from: AttributeDescription
    let path: String
    let to: AttributeDescription

    var transformation: Transformation? {
      switch (from.attributeType, to.attributeType) {
      case (.transformable, .transformable): nil
      case (.transformable, let other):
        other.isPlain || other == .binaryData ? Transformation(.reading, by: from.transformer) : nil
      // Bytes are taken over as they are.
      case (let other, .transformable):
        other.isPlain ? Transformation(.writing, by: to.transformer) : nil
      case _: nil
      }
    }
  }

  private func copy(_ property: PropertyMapping, in entity: EntityMapping) -> Copy? {
    guard
      let target = models.destination.entity(named: entity.destinationEntityName),
      let to = models.destination.leaf(named: property.name, of: target)?.attribute, to.isStored,
      let path = entity.attribute(property.name).copiedPath(to),
      let start = models.source.entity(named: entity.sourceEntityName),
      let from = attribute(path, of: start)
    else { return nil }
    return Copy(from: from, path: path, to: to)
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

extension MappingModel {
  /// The attributes whose bytes are copied although another transformer is to read them, as `mapping.attribute` with
  /// both transformers, in the order of the mapping.
  package func copiedTransformables(
    between models: ModelPair
  ) -> [(attribute: String, reader: String, writer: String)] {
    entityMappings.flatMap { entity in
      entity.attributeMappings.compactMap { property in
        TransformerMapping(models: models).change(of: property, in: entity).map {
          ("\(entity.name).\(property.name)", $0.reader, $0.writer)
        }
      }
    }
  }

  /// The transformers that its expressions name, with what needs them, in the order of the mapping.
  package var transformers: [(name: String, mapping: String, property: String)] {
    var found: [(name: String, mapping: String, property: String)] = []
    for mapping in entityMappings {
      let filter = mapping.filter?.children.map { (ValueCheck.Subject.filter, $0) } ?? []
      for (subject, value) in filter + mapping.values {
        for name in value.allParts.compactMap(Transformation.name) {
          let need = (name: name.text, mapping: mapping.name, property: subject.name)
          if !found.contains(where: { $0 == need }) { found.append(need) }
        }
      }
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
