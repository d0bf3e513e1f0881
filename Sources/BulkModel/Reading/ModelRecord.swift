/// The nesting limit of composite attributes, and the limit of all elements of one.
private let compositeDepthLimit = 16
private let compositeElementLimit = 10_000

enum RecordKind: Sendable {
  case entity, attribute, relationship, fetchedProperty, compositeElement, index, indexElement
  case fetchRequest
}

/// A part of a model file in one of the formats, with what its errors name.
///
/// Its conformances say how a format stores values; what they are is in ``ModelSetting``.
protocol ModelRecord {
  static var format: ModelFormat { get }
  var path: String { get }

  func fault(_ reason: String) -> ModelError
  func name() throws(ModelError) -> String
  /// The text of a key; `nil` if it is absent or empty.
  func text(_ key: String) throws(ModelError) -> String?
  /// A flag; an absent one is not set.
  func flag(_ key: String) throws(ModelError) -> Bool
  func integer(_ key: String) throws(ModelError) -> Int64?
  /// Lists of names; empty ones are ignored.
  func lists(_ key: String) throws(ModelError) -> [[String]]
  /// The text entries of the user info; others are of no use outside their application.
  func userInfo(_ key: String) throws(ModelError) -> [String: String]
  func predicate(_ key: String) throws(ModelError) -> ValuePredicate?
  func children(_ kind: RecordKind) throws(ModelError) -> [Self]

  func versionIdentifiers() throws(ModelError) -> [String]
  func configurations() throws(ModelError) -> [String: [String]]
  func attributeType() throws(ModelError) -> AttributeType
  func destination() throws(ModelError) -> String
  /// The entity of a fetch request; `nil` if the request is of no use without it.
  func requestedEntity() throws(ModelError) -> String?
  func indexElement() throws(ModelError) -> FetchIndexDescription.Element

  // These read what the format writes in its own way.
  func complete(_ entity: inout EntityDescription) throws(ModelError)
  func complete(_ attribute: inout AttributeDescription) throws(ModelError)
  func complete(_ relationship: inout RelationshipDescription) throws(ModelError)
}

extension ModelRecord {
  func model() throws(ModelError) -> ManagedObjectModel {
    let entities = try children(.entity).map { record throws(ModelError) in try record.entity() }
    var requests: [FetchRequestDescription] = []
    for record in try children(.fetchRequest) {
      guard let entity = try record.requestedEntity() else { continue }
      requests.append(try record.fetchRequest(of: entity))
    }
    let identifiers = try versionIdentifiers()
    let configurations = try configurations()
    do throws(ModelError) {
      return try ManagedObjectModel(
        entities: entities,
        versionIdentifiers: identifiers,
        configurations: configurations,
        fetchRequestTemplates: requests
      )
    } catch {
      throw .invalid(path: path, location: "the model as a whole", reason: "\(error)")
    }
  }

  private func read<Element>(
    _ settings: [ModelSetting<Element>],
    into element: inout Element
  ) throws(ModelError) {
    for setting in settings {
      guard let key = setting.key(in: Self.format) else { continue }
      switch setting.value {
      case .flag(let path):
        guard let path = path as? WritableKeyPath<Element, Bool> else { continue }
        element[keyPath: path] = try flag(key)
      case .text(let path): element[keyPath: path] = try text(key)
      case .count(let path):
        if let count = try integer(key) { element[keyPath: path] = count }
      case .lists(let path): element[keyPath: path] = try lists(key)
      case .userInfo(let path): element[keyPath: path] = try userInfo(key)
      }
    }
  }

  private func entity() throws(ModelError) -> EntityDescription {
    var result = EntityDescription(try name())
    try read(EntityDescription.settings, into: &result)
    if result.renamingIdentifier == result.name { result.renamingIdentifier = nil }
    try complete(&result)
    for record in try children(.attribute) {
      var remaining = compositeElementLimit
      result.attributes.append(try record.attribute(depth: 0, remaining: &remaining))
    }
    result.relationships = try children(.relationship)
      .map { record throws(ModelError) in try record.relationship() }
    result.fetchedProperties = try children(.fetchedProperty)
      .map { record throws(ModelError) in try record.fetchedProperty() }
    result.indexes = try children(.index)
      .map { record throws(ModelError) in try record.fetchIndex() }
    return result
  }

  private func attribute(
    depth: Int,
    remaining: inout Int
  ) throws(ModelError) -> AttributeDescription {
    var result = AttributeDescription(try name(), try attributeType())
    try property(AttributeDescription.settings, &result)
    try complete(&result)
    let elements = try children(.compositeElement)
    guard elements.isEmpty || depth < compositeDepthLimit else {
      let composite = result.compositeName.map { "type \($0)" } ?? "attribute"
      throw fault("the composite \(composite) holds itself, or too many others")
    }
    for element in elements {
      remaining -= 1
      guard remaining >= 0 else {
        throw fault("it has more than \(compositeElementLimit) elements")
      }
      result.elements.append(try element.attribute(depth: depth + 1, remaining: &remaining))
    }
    return result
  }

  private func property<Property: PropertyDescription>(
    _ settings: [ModelSetting<Property>],
    _ property: inout Property
  ) throws(ModelError) {
    try read(settings, into: &property)
    if property.renamingIdentifier == property.name { property.renamingIdentifier = nil }
  }

  /// A to-many relationship is unlimited unless it states a limit; with the maximum count 1 it is to-one, whatever
  /// it says.
  private func relationship() throws(ModelError) -> RelationshipDescription {
    var result = RelationshipDescription(try name(), to: try destination())
    result.maxCount = .min
    try property(RelationshipDescription.settings, &result)
    if result.maxCount == .min { result.maxCount = result.isToMany ? 0 : 1 }
    if result.maxCount == 1 { result.isToMany = false }
    try complete(&result)
    return result
  }

  private func fetchedProperty() throws(ModelError) -> FetchedPropertyDescription {
    guard let request = try children(.fetchRequest).first else {
      throw fault("the fetch request is missing")
    }
    var entity = try request.requestedEntity()
    if entity == nil { entity = try text("_NSFetchRequestEntityName") }
    guard let entity else { throw request.fault("the entity is missing") }
    var result = FetchedPropertyDescription(
      try name(),
      fetching: try request.fetchRequest(of: entity)
    )
    try property(FetchedPropertyDescription.settings, &result)
    return result
  }

  private func fetchRequest(of entity: String) throws(ModelError) -> FetchRequestDescription {
    var result = FetchRequestDescription(try name(), entityName: entity)
    result.predicate = try predicate(key("predicateString", "NSPredicate"))
    result.fetchLimit = try integer(key("fetchLimit", "NSFetchLimit")) ?? 0
    return result
  }

  private func fetchIndex() throws(ModelError) -> FetchIndexDescription {
    FetchIndexDescription(
      try name(),
      elements: try children(.indexElement)
        .map { record throws(ModelError) in try record.indexElement() },
      partialIndexPredicate: try predicate(
        key("partialIndexPredicate", "NSPartialIndexPredicate")
      )
    )
  }

  private func key(_ source: String, _ archive: String) -> String {
    Self.format == .source ? source : archive
  }

  func attributeType(number: Int64) throws(ModelError) -> AttributeType {
    guard let type = Int32(exactly: number).flatMap(AttributeType.init) else {
      throw fault("the type \(number) is unknown")
    }
    return type
  }

  func deleteRule(number: Int64) throws(ModelError) -> RelationshipDescription.DeleteRule {
    guard let rule = RelationshipDescription.DeleteRule(rawValue: number) else {
      throw fault("the delete rule \(number) is unknown")
    }
    return rule
  }

  /// A required text, which must not be empty.
  func required(_ key: String, _ reason: String) throws(ModelError) -> String {
    guard let text = try text(key) else { throw fault(reason) }
    return text
  }

  /// The value of a text that an editor wrote for a type, with its subject in errors.
  func value(
    _ text: String,
    of type: AttributeType,
    _ subject: String
  ) throws(ModelError) -> AttributeValue {
    guard let value = SourceValue.value(text, of: type) else {
      throw fault("\(subject) is not a valid \(type.name)")
    }
    return value
  }

  /// The predicates of the limits that an editor wrote as texts; those of a string are lengths.
  func limits(
    _ least: String,
    _ greatest: String,
    pattern: String,
    of type: AttributeType
  ) throws(ModelError) -> [ValuePredicate] {
    guard type == .string || type.isNumber && type != .boolean else { return [] }
    let limited: AttributeType = type == .string ? .integer64 : type
    var values: [AttributeValue?] = []
    for key in [least, greatest] {
      guard let text = try text(key) else {
        values.append(nil)
        continue
      }
      values.append(try value(text, of: limited, "\(key) is \(text), which"))
    }
    return type.limits(
      least: values[0],
      greatest: values[1],
      pattern: type == .string ? try text(pattern) : nil
    )
  }
}

extension AttributeType {
  /// The predicates into which Core Data translates the limits of values.
  ///
  /// A compiled model has `SELF >= 0` for the minimum of a number or a date, `length >= 1` for the minimum
  /// length of a string, and `SELF MATCHES "…"` for its pattern.
  func limits(
    least: AttributeValue?,
    greatest: AttributeValue?,
    pattern: String? = nil
  ) -> [ValuePredicate] {
    let subject: ValueExpression =
      self == .string ? .keyPath("length", of: .evaluatedObject) : .evaluatedObject
    let rules: [(ValueExpression, ValuePredicate.Operator, AttributeValue?)] = [
      (subject, .greaterThanOrEqualTo, least), (subject, .lessThanOrEqualTo, greatest),
      (.evaluatedObject, .matches, pattern.map { .string($0) }),
    ]
    return rules.compactMap { subject, `operator`, limit in
      limit.map { .comparison(.init(subject, `operator`, .constant($0))) }
    }
  }
}
