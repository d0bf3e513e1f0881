internal import BulkCoding

/// Reads the source of a model: the XML file `contents` of an `.xcdatamodel`.
///
/// Its root is `<model type="com.apple.IDECoreDataModeler.DataModel">`. Unknown elements and attributes are
/// ignored, because every editor adds some.
enum SourceModelReader {
  private static let type = "com.apple.IDECoreDataModeler.DataModel"

  static func model(from bytes: [UInt8], path: String) throws(ModelError) -> ManagedObjectModel {
    let root: SourceElement
    do throws(CodingError) {
      root = try SourceElement.root(of: bytes)
    } catch {
      guard case .xml(let line, let reason) = error else {
        throw .notAModel(path: path, reason: "\(error)")
      }
      throw .invalid(path: path, place: "line \(line)", reason: "the XML \(reason)")
    }
    guard root.name == "model", (root.text("type") ?? type) == type else {
      throw .notAModel(path: path, reason: "its XML is a <\(root.name)> and no data model")
    }
    let context = SourceContext(path: path, element: root, subject: "")
    return try model(context)
  }

  private static func model(_ context: SourceContext) throws(ModelError) -> ManagedObjectModel {
    let reader = SourceEntityReader(attributes: SourceAttributeReader(model: context))
    var parts = ModelParts()
    parts.entities = try context.children("entity").map(reader.entity)
    parts.fetchRequestTemplates = try context.children("fetchRequest")
      .map(SourceEntityReader.fetchRequest)
    for child in context.children("configuration") {
      let members = child.element.children("memberEntity").compactMap { $0.text("name") }
      parts.configurations[try child.required("name")] = members
    }
    if let identifier = context.element.attributes["userDefinedModelVersionIdentifier"] {
      parts.versionIdentifiers = [identifier]
    }
    return try parts.model(path: context.path)
  }
}

/// Reads `<entity>` elements of a model's XML.
struct SourceEntityReader {
  let attributes: SourceAttributeReader

  func entity(_ context: SourceContext) throws(ModelError) -> EntityDescription {
    var result = EntityDescription(try context.required("name"))
    result.managedObjectClassName = context.element.text("representedClassName")
    result.superentityName = context.element.text("parentEntity")
    result.isAbstract = try context.flag("isAbstract")
    result.renamingIdentifier = context.renamingIdentifier()
    result.versionHashModifier = context.element.text("versionHashModifier")
    result.userInfo = context.userInfo()
    result.attributes = try context.children("attribute").map(attributes.attribute)
    result.relationships = try context.children("relationship").map(relationship)
    result.fetchedProperties = try context.children("fetchedProperty").map(fetchedProperty)
    result.indexes = try context.children("fetchIndex").map(fetchIndex)
    result.compoundIndexes = lists(
      context.element,
      "compoundIndexes",
      of: "compoundIndex",
      item: "index"
    )
    result.uniquenessConstraints = lists(
      context.element,
      "uniquenessConstraints",
      of: "uniquenessConstraint",
      item: "constraint"
    )
    return result
  }

  /// A list of lists of names, as in indexes and constraints; empty ones are ignored.
  private func lists(
    _ element: SourceElement,
    _ all: String,
    of one: String,
    item: String
  ) -> [[String]] {
    element.children(all).flatMap { $0.children(one) }
      .map { $0.children(item).compactMap { $0.text("value") } }
      .filter { !$0.isEmpty }
  }

  /// A to-one relationship has the maximum count 1; a to-many one is unlimited unless it states a limit.
  private func relationship(_ context: SourceContext) throws(ModelError) -> RelationshipDescription
  {
    let name = try context.required("name")
    var result = RelationshipDescription(name, to: try context.required("destinationEntity"))
    result.inverseName = context.element.text("inverseName")
    result.isToMany = try context.flag("toMany")
    result.isOrdered = try context.flag("ordered")
    result.isOptional = try context.flag("optional")
    result.isTransient = try context.flag("transient")
    result.isReadOnly = try context.flag("readOnly")
    result.isIndexed = try context.flag("indexed")
    result.minCount = try context.integer("minCount") ?? 0
    result.maxCount = try context.integer("maxCount") ?? (result.isToMany ? 0 : 1)
    result.deleteRule = try deleteRule(context)
    result.renamingIdentifier = context.renamingIdentifier()
    result.versionHashModifier = context.element.text("versionHashModifier")
    result.userInfo = context.userInfo()
    return result
  }

  private func deleteRule(
    _ context: SourceContext
  ) throws(ModelError) -> RelationshipDescription.DeleteRule {
    let text = context.element.text("deletionRule") ?? context.element.text("deleteRule")
    switch text {
    case nil, "Nullify": return .nullify
    case "Cascade": return .cascade
    case "Deny": return .deny
    case "No Action": return .noAction
    case let rule?: throw context.fault("the delete rule \(rule) is unknown")
    }
  }

  private func fetchedProperty(
    _ context: SourceContext
  ) throws(ModelError) -> FetchedPropertyDescription {
    guard let request = context.children("fetchRequest").first else {
      throw context.fault("the fetched property has no fetch request")
    }
    var result = FetchedPropertyDescription(
      try context.required("name"),
      fetching: try Self.fetchRequest(request)
    )
    result.isOptional = try context.flag("optional")
    result.renamingIdentifier = context.renamingIdentifier()
    result.versionHashModifier = context.element.text("versionHashModifier")
    result.userInfo = context.userInfo()
    return result
  }

  /// A fetch request of the model, or of a fetched property.
  static func fetchRequest(_ context: SourceContext) throws(ModelError) -> FetchRequestDescription {
    var result = FetchRequestDescription(
      context.element.attributes["name"] ?? "",
      entityName: try context.required("entity")
    )
    result.predicate = try context.predicate("predicateString")
    result.fetchLimit = try context.integer("fetchLimit") ?? 0
    return result
  }

  private func fetchIndex(_ context: SourceContext) throws(ModelError) -> FetchIndexDescription {
    FetchIndexDescription(
      try context.required("name"),
      elements: try context.children("fetchIndexElement").map(indexElement),
      partialIndexPredicate: try context.predicate("partialIndexPredicate")
    )
  }

  private func indexElement(
    _ context: SourceContext
  ) throws(ModelError) -> FetchIndexDescription.Element {
    let subject: FetchIndexDescription.Subject
    if let expression = try context.expression("expression") {
      subject = .expression(expression)
    } else {
      subject = .property(try context.required("property"))
    }
    let isRTree = context.element.text("type")?.lowercased() == "rtree"
    let isDescending = context.element.text("order") == "descending"
    return FetchIndexDescription.Element(
      subject,
      kind: isRTree ? .rTree : .binary,
      isAscending: !isDescending
    )
  }
}
