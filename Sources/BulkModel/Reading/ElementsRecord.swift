internal import BulkSupport

/// A part of the file `elements` of an `.xcdatamodel` from before Xcode 4, or of the copy of a model in a mapping
/// model: archives of `XDPMModel`.
///
/// They are the editor's objects: a package has entities, an entity has properties, and all of them have
/// stereotypes that list their settings (formats/models.md 7). A setting is an `XDUMLPropertyImp`; its value is
/// `_default`. Collections are read from the root, so that leftovers of editing are ignored.
struct ElementsRecord: ArchivedRecord {
  static let format = ModelFormat.editor
  static let isStrict = false

  let path: String
  let subject: String
  private let object: ArchivedObject
  private let ownName: String
  private var values: [String: ArchivedObject] = [:]

  init(_ object: ArchivedObject, path: String, subject: String = "", name: String = "") {
    self.object = object
    self.path = path
    self.subject = subject
    ownName = object["_name"]?.string ?? name
    for (_, stereotype) in Self.bucket("Stereotypes", of: object) {
      for (name, setting) in Self.bucket("OwnedAttributes", of: stereotype) {
        values[setting["_name"]?.string ?? name] = setting["_default"]
      }
    }
  }

  /// The objects of one kind that an object owns, by name.
  private static func bucket(
    _ kind: String,
    of object: ArchivedObject
  ) -> [(key: String, value: ArchivedObject)] {
    (object["XDBucketFor\(kind)storage"]?.entries ?? [])
      .compactMap { entry in entry.value.map { (entry.key, $0) } }
  }

  subscript(key: String) -> ArchivedObject? { values[key] }

  func name() -> String { ownName }

  func children(_ kind: RecordKind) throws(ModelError) -> [ElementsRecord] {
    switch kind {
    case .entity:
      guard let package = object["_xd_rootPackage"] else {
        throw fault("_xd_rootPackage is missing")
      }
      return children("Classes", of: package, "XDPMEntity", "entity")
    case .attribute: return children("OwnedAttributes", of: object, "XDPMAttribute", "attribute")
    case .relationship:
      return children("OwnedAttributes", of: object, "XDPMRelationship", "relationship")
    case .fetchedProperty, .compositeElement, .index, .indexElement, .fetchRequest: return []
    }
  }

  private func children(
    _ bucket: String,
    of object: ArchivedObject,
    _ className: String,
    _ kind: String
  ) -> [ElementsRecord] {
    Self.bucket(bucket, of: object).filter { $0.value.isKind(of: className) }
      .map { key, child in
        let name = child["_name"]?.string ?? key
        return ElementsRecord(child, path: path, subject: subject(kind, name), name: name)
      }
  }

  func versionIdentifiers() -> [String] {
    object["_modelVersionIdentifier"]?.string.map { [$0] } ?? []
  }

  func configurations() -> [String: [String]] {
    var result: [String: [String]] = [:]
    for (name, members) in object["_configurationsByName"]?.entries ?? [] {
      result[name] = (members?.elements ?? []).compactMap { $0?["_name"]?.string ?? $0?.string }
    }
    return result
  }

  func attributeType() throws(ModelError) -> AttributeType {
    try attributeType(number: try integer("XD_PAttK_attributeType") ?? 0)
  }

  func destination() throws(ModelError) -> String {
    guard let name = self["XD_PRK_destination"]?["_name"]?.string else {
      throw fault("the destination is missing")
    }
    return name
  }

  // This format has no fetch requests and no fetch indexes.
  func predicate(_ key: String) -> ValuePredicate? { nil }
  func requestedEntity() -> String? { nil }
  func indexElement() -> FetchIndexDescription.Element { .init(.property(ownName)) }

  /// A separate generalization object links an entity to its superentity.
  func complete(_ entity: inout EntityDescription) {
    let generalizations = object["XDBucketForGeneralizationsstorage"]?.elements ?? []
    entity.superentityName =
      generalizations.lazy.compactMap { $0?["_general"]?["_name"]?.string }.first
  }

  /// The text of a date is localized and ignored.
  func complete(_ attribute: inout AttributeDescription) throws(ModelError) {
    let (type, key) = (attribute.attributeType, "XD_PAttK_defaultValueAsString")
    if let text = self[key]?.string, type.isWritten(as: text), type != .date {
      attribute.defaultValue = try value(text, of: type, "\(key) is \(text), which")
    }
    attribute.validationPredicates = try limits(
      "XD_PAttK_minValueString",
      "XD_PAttK_maxValueString",
      pattern: "XD_PAttK_regularExpressionString",
      of: type
    )
  }

  func complete(_ relationship: inout RelationshipDescription) throws(ModelError) {
    relationship.inverseName = self["XD_PRK_inverseRelationship"]?["_name"]?.string
    relationship.deleteRule = try deleteRule(number: try integer("XD_PRK_deleteRule") ?? 1)
  }
}
