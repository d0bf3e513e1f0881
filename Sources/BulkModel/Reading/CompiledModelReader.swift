internal import BulkCoding

/// Reads compiled models: archives of `NSManagedObjectModel`, as in a `.mom` and, compressed, in the table
/// `Z_MODELCACHE` of a store.
///
/// Keys: formats/models.md 5. An absent flag is not set. The archive's references form
/// cycles; here entities and properties refer to each other by name.
struct CompiledModelReader {
  private let model: CompiledObject
  /// The entities by their indexes in the archive, for resolving references to names.
  private var entityNames: [Int: String] = [:]
  private var entities: [String: CompiledObject] = [:]
  /// The keys of each entity's properties in the archive.
  private var propertyNames: [String: Set<String>] = [:]

  /// Reads the model archived in a root object.
  static func model(
    from root: ArchivedObject,
    path: String
  ) throws(ModelError) -> ManagedObjectModel {
    let reader = try CompiledModelReader(CompiledObject(path: path, object: root, subject: ""))
    return try reader.parts().model(path: path)
  }

  private init(_ model: CompiledObject) throws(ModelError) {
    self.model = model
    for (key, object) in try model.entries("NSEntities") {
      let entity = model.child(object, "entity", key)
      let name = try entity.required("NSEntityName")
      guard entities.updateValue(entity, forKey: name) == nil else {
        throw entity.fault("another entity has the name \(name) too")
      }
      if let index = object.index { entityNames[index] = name }
      propertyNames[name] = Set(try entity.entries("NSProperties").map(\.key))
    }
  }

  private func parts() throws(ModelError) -> ModelParts {
    var parts = ModelParts()
    for name in entities.keys.sortedByCodeUnit() {
      guard let entity = entities[name] else { continue }
      parts.entities.append(try self.entity(entity, name: name))
    }
    parts.versionIdentifiers = try model.elements("NSVersionIdentifiers").compactMap(\.string)
    for (name, members) in try model.entries("NSConfigurations") {
      parts.configurations[name] = (members.elements ?? []).compactMap { $0.flatMap(entityName) }
    }
    for (name, object) in try model.entries("NSFetchRequestTemplates") {
      let request = model.child(object, "fetch request", name)
      guard let entity = try requestedEntity(request) else { continue }
      parts.fetchRequestTemplates.append(try fetchRequest(request, name: name, entityName: entity))
    }
    return parts
  }

  /// The name of a referenced entity; old archives contain the name itself.
  private func entityName(_ object: ArchivedObject) -> String? {
    object.index.flatMap { entityNames[$0] } ?? object["NSEntityName"]?.string ?? object.string
  }

  private func entity(
    _ context: CompiledObject,
    name: String
  ) throws(ModelError) -> EntityDescription {
    var result = EntityDescription(name)
    result.managedObjectClassName = try context.text("NSClassNameForEntity")
    result.superentityName = context.object["NSSuperentity"].flatMap(entityName)
    result.isAbstract = try context.flag("NSIsAbstract")
    result.renamingIdentifier = try context.renamingIdentifier(of: name)
    result.versionHashModifier = try context.text("NSVersionHashModifier")
    result.userInfo = try context.userInfo()
    result.compoundIndexes = try context.lists("NSCompoundIndexes")
    result.uniquenessConstraints = try context.lists("NSUniqueTuples")
    result.indexes = try context.elements("NSFetchIndexDescriptions")
      .map { index throws(ModelError) in try fetchIndex(index, context) }
    for (key, object) in try context.entries("NSProperties")
    where !isInherited(key, by: context) {
      try add(object, named: key, to: &result, context)
    }
    return result
  }

  /// Whether a superentity has a property; the archive of a model that has been in use repeats inherited
  /// properties in every subentity, as full copies or as proxies.
  private func isInherited(_ property: String, by entity: CompiledObject) -> Bool {
    var above = entity.object["NSSuperentity"].flatMap(entityName)
    var steps = 0
    while let name = above, steps < entities.count {
      if propertyNames[name]?.contains(property) == true { return true }
      above = entities[name]?.object["NSSuperentity"].flatMap(entityName)
      steps += 1
    }
    return false
  }

  private func add(
    _ object: ArchivedObject,
    named key: String,
    to entity: inout EntityDescription,
    _ context: CompiledObject
  ) throws(ModelError) {
    let property = object["NSUnderlyingProperty"] ?? object
    let name = property["NSPropertyName"]?.string ?? key
    func child(_ kind: String) -> CompiledObject { context.child(property, kind, name) }
    if property.isKind(of: "NSAttributeDescription") {
      let reader = CompiledAttributeReader()
      entity.attributes.append(try reader.attribute(child("attribute"), name: name))
    } else if property.isKind(of: "NSRelationshipDescription") {
      entity.relationships.append(try relationship(child("relationship"), name: name))
    } else if property.isKind(of: "NSFetchedPropertyDescription") {
      entity.fetchedProperties.append(try fetchedProperty(child("fetched property"), name: name))
    } else {
      throw context.fault("the property \(name) is a \(property.className ?? "plain value")")
    }
  }
}

extension CompiledModelReader {
  /// A relationship is to-one if its maximum count is 1.
  private func relationship(
    _ context: CompiledObject,
    name: String
  ) throws(ModelError) -> RelationshipDescription {
    let destination =
      try context.text("_NSDestinationEntityName")
      ?? context.object["NSDestinationEntity"].flatMap(entityName)
    guard let destination else { throw context.fault("the destination is missing") }
    var result = RelationshipDescription(name, to: destination)
    result.inverseName =
      try context.text("_NSInverseRelationshipName")
      ?? context.object["NSInverseRelationship"]?["NSPropertyName"]?.string
    result.maxCount = try context.integer("NSMaxCount") ?? 0
    result.minCount = try context.integer("NSMinCount") ?? 0
    result.isToMany = result.maxCount != 1
    result.isOrdered = try context.flag("NSIsOrdered")
    result.isOptional = try context.flag("NSIsOptional")
    result.isTransient = try context.flag("NSIsTransient")
    result.isReadOnly = try context.flag("NSIsReadOnly")
    result.isIndexed = try context.flag("NSIsIndexed")
    result.renamingIdentifier = try context.renamingIdentifier(of: name)
    result.versionHashModifier = try context.text("NSVersionHashModifier")
    result.userInfo = try context.userInfo()
    let number = try context.integer("NSDeleteRule") ?? 1
    guard let rule = RelationshipDescription.DeleteRule(rawValue: number) else {
      throw context.fault("the delete rule \(number) is unknown")
    }
    result.deleteRule = rule
    return result
  }

  private func fetchedProperty(
    _ context: CompiledObject,
    name: String
  ) throws(ModelError) -> FetchedPropertyDescription {
    guard let object = context.object["NSFetchRequest"] else {
      throw context.fault("the fetch request is missing")
    }
    let request = context.child(object, "fetch request", name)
    var entity = try requestedEntity(request)
    if entity == nil { entity = try context.text("_NSFetchRequestEntityName") }
    guard let entity else { throw request.fault("the entity is missing") }
    var result = FetchedPropertyDescription(
      name,
      fetching: try fetchRequest(request, name: "fetchedPropertyFetchRequest", entityName: entity)
    )
    result.isOptional = try context.flag("NSIsOptional")
    result.renamingIdentifier = try context.renamingIdentifier(of: name)
    result.versionHashModifier = try context.text("NSVersionHashModifier")
    result.userInfo = try context.userInfo()
    return result
  }

  private func requestedEntity(_ context: CompiledObject) throws(ModelError) -> String? {
    if let name = context.object["NSEntity"].flatMap(entityName) { return name }
    return try context.text("NSEntityName")
  }

  private func fetchRequest(
    _ context: CompiledObject,
    name: String,
    entityName: String
  ) throws(ModelError) -> FetchRequestDescription {
    var result = FetchRequestDescription(name, entityName: entityName)
    result.predicate = try context.predicate("NSPredicate")
    result.fetchLimit = try context.integer("NSFetchLimit") ?? 0
    return result
  }

  private func fetchIndex(
    _ object: ArchivedObject,
    _ entity: CompiledObject
  ) throws(ModelError) -> FetchIndexDescription {
    let name = object["NSIndexName"]?.string ?? ""
    let context = entity.child(object, "index", name)
    var elements: [FetchIndexDescription.Element] = []
    for element in try context.elements("NSIndexElements") {
      elements.append(try indexElement(context.child(element, "element", "\(elements.count)")))
    }
    return FetchIndexDescription(
      name,
      elements: elements,
      partialIndexPredicate: try context.predicate("NSPartialIndexPredicate")
    )
  }

  /// An element with an expression names a property that does not exist (`expression1`).
  private func indexElement(
    _ context: CompiledObject
  ) throws(ModelError) -> FetchIndexDescription.Element {
    let number = try context.integer("NSFetchIndexElementType") ?? 0
    guard let kind = FetchIndexDescription.Kind(rawValue: number) else {
      throw context.fault("the type \(number) is unknown")
    }
    let subject: FetchIndexDescription.Subject
    if let indexed = context.object["NSIndexedProperty"], indexed["NSExpression"] != nil,
      let expression = try context.child(indexed, "property", "NSIndexedProperty")
        .expression("NSExpression")
    {
      subject = .expression(expression)
    } else {
      subject = .property(try context.required("NSPropertyName"))
    }
    let isAscending = context.object.has("NSAscending") ? try context.flag("NSAscending") : true
    return FetchIndexDescription.Element(subject, kind: kind, isAscending: isAscending)
  }
}
