internal import BulkCoding

/// Reads the file `elements` of an `.xcdatamodel` from before Xcode 4, and the copies of models in mapping
/// models: archives of `XDPMModel`.
///
/// They are the editor's objects: a package has entities, an entity has properties, and all of them have
/// stereotypes that list their settings (formats/models.md 7). Collections are read from the root, so that
/// leftovers of editing are ignored.
struct ElementsModelReader {
  private let path: String

  /// Reads the model archived in a root object.
  static func model(
    from root: ArchivedObject,
    path: String
  ) throws(ModelError) -> ManagedObjectModel {
    let reader = ElementsModelReader(path: path)
    var parts = ModelParts()
    guard let package = root["_xd_rootPackage"] else {
      throw .invalid(path: path, place: "the model", reason: "_xd_rootPackage is missing")
    }
    for (name, object) in bucket("Classes", of: package) where object.isKind(of: "XDPMEntity") {
      parts.entities.append(try reader.entity(object, name: name))
    }
    if let identifier = root["_modelVersionIdentifier"]?.string {
      parts.versionIdentifiers = [identifier]
    }
    for (name, members) in root["_configurationsByName"]?.entries ?? [] {
      let elements = members?.elements ?? []
      parts.configurations[name] = elements.compactMap { $0?["_name"]?.string ?? $0?.string }
    }
    return try parts.model(path: path)
  }

  /// The objects of one kind that an object owns, by name.
  static func bucket(
    _ kind: String,
    of object: ArchivedObject
  ) -> [(key: String, value: ArchivedObject)] {
    (object["XDBucketFor\(kind)storage"]?.entries ?? [])
      .compactMap { entry in entry.value.map { (entry.key, $0) } }
  }

  private func entity(
    _ object: ArchivedObject,
    name: String
  ) throws(ModelError) -> EntityDescription {
    let settings = ElementsSettings(of: object, path: path, subject: "entity \(name)")
    var result = EntityDescription(object["_name"]?.string ?? name)
    result.managedObjectClassName = settings.text("XD_PSK_entityClassName")
    // A separate generalization object links an entity to its superentity.
    let generalizations = object["XDBucketForGeneralizationsstorage"]?.elements ?? []
    result.superentityName =
      generalizations.lazy.compactMap { $0?["_general"]?["_name"]?.string }.first
    result.isAbstract = settings.flag("XD_PSK_isAbstract")
    result.renamingIdentifier = settings.renamingIdentifier("XD_PSK_elementID", of: result.name)
    result.versionHashModifier = settings.text("XD_PSK_versionHashModifier")
    result.userInfo = settings.userInfo("XD_PSK_userInfo")
    result.compoundIndexes = settings.lists("XDPMCompoundIndexes")
    result.uniquenessConstraints = settings.lists("XDPMUniquenessConstraints")
    for (key, property) in Self.bucket("OwnedAttributes", of: object) {
      let name = property["_name"]?.string ?? key
      func child(_ kind: String) -> ElementsSettings {
        let subject = settings.subject + ", \(kind) \(name)"
        return ElementsSettings(of: property, path: path, subject: subject)
      }
      if property.isKind(of: "XDPMAttribute") {
        result.attributes.append(try attribute(child("attribute"), name: name))
      } else if property.isKind(of: "XDPMRelationship") {
        result.relationships.append(try relationship(child("relationship"), name: name))
      }
    }
    return result
  }

  private func attribute(
    _ settings: ElementsSettings,
    name: String
  ) throws(ModelError) -> AttributeDescription {
    let number = settings.integer("XD_PAttK_attributeType") ?? 0
    guard let type = Int32(exactly: number).flatMap(AttributeType.init) else {
      throw settings.fault("the type \(number) is unknown")
    }
    var result = AttributeDescription(name, type)
    result.isOptional = settings.flag("XD_PPSK_isOptional")
    result.isTransient = settings.flag("XD_PPSK_isTransient")
    result.isIndexed = settings.flag("XD_PPSK_isIndexed")
    result.isIndexedBySpotlight = settings.flag("XD_PPSK_isSpotlightIndexed")
    result.allowsExternalBinaryDataStorage = settings.flag(
      "XD_PAttK_allowsExternalBinaryDataStorage"
    )
    result.valueTransformerName = settings.text("XD_PAttK_valueTransformerName")
    result.renamingIdentifier = settings.renamingIdentifier("XD_PPSK_elementID", of: name)
    result.versionHashModifier = settings.text("XD_PPSK_versionHashModifier")
    result.userInfo = settings.userInfo("XD_PPSK_userInfo")
    result.defaultValue = try settings.value("XD_PAttK_defaultValueAsString", of: type)
    result.validationPredicates = try settings.validationPredicates(of: type)
    return result
  }

  private func relationship(
    _ settings: ElementsSettings,
    name: String
  ) throws(ModelError) -> RelationshipDescription {
    guard let destination = settings["XD_PRK_destination"]?["_name"]?.string else {
      throw settings.fault("the destination is missing")
    }
    var result = RelationshipDescription(name, to: destination)
    result.inverseName = settings["XD_PRK_inverseRelationship"]?["_name"]?.string
    result.isToMany = settings.flag("XD_PRK_isToMany")
    result.isOrdered = settings.flag("XD_PRK_ordered")
    result.isOptional = settings.flag("XD_PPSK_isOptional")
    result.isTransient = settings.flag("XD_PPSK_isTransient")
    result.isIndexed = settings.flag("XD_PPSK_isIndexed")
    result.minCount = settings.integer("XD_PRK_minCount") ?? 0
    result.maxCount = settings.integer("XD_PRK_maxCount") ?? (result.isToMany ? 0 : 1)
    result.renamingIdentifier = settings.renamingIdentifier("XD_PPSK_elementID", of: name)
    result.versionHashModifier = settings.text("XD_PPSK_versionHashModifier")
    result.userInfo = settings.userInfo("XD_PPSK_userInfo")
    let number = settings.integer("XD_PRK_deleteRule") ?? 1
    guard let rule = RelationshipDescription.DeleteRule(rawValue: number) else {
      throw settings.fault("the delete rule \(number) is unknown")
    }
    result.deleteRule = rule
    return result
  }
}

/// The settings of an entity or a property in an old model, by the editor's names.
///
/// A setting is an `XDUMLPropertyImp` of one of the element's stereotypes; its value is `_default`.
struct ElementsSettings {
  private let path: String
  /// The subject in error messages, such as `entity Note, attribute title`.
  let subject: String
  private var values: [String: ArchivedObject] = [:]

  init(of object: ArchivedObject, path: String, subject: String) {
    self.path = path
    self.subject = subject
    for (_, stereotype) in ElementsModelReader.bucket("Stereotypes", of: object) {
      for (name, setting) in ElementsModelReader.bucket("OwnedAttributes", of: stereotype) {
        values[setting["_name"]?.string ?? name] = setting["_default"]
      }
    }
  }

  subscript(name: String) -> ArchivedObject? { values[name] }

  func fault(_ reason: String) -> ModelError {
    .invalid(path: path, place: subject, reason: reason)
  }

  func text(_ name: String) -> String? {
    values[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  func flag(_ name: String) -> Bool { values[name]?.boolean ?? false }

  func integer(_ name: String) -> Int64? { values[name]?.integer }

  func lists(_ name: String) -> [[String]] {
    (values[name]?.elements ?? [])
      .map { ($0?.elements ?? []).compactMap { $0?.string } }
      .filter { !$0.isEmpty }
  }

  func userInfo(_ name: String) -> [String: String] {
    var result: [String: String] = [:]
    for (key, value) in values[name]?.entries ?? [] { result[key] = value?.string }
    return result
  }

  /// A renaming identifier; `nil` if it equals the name.
  func renamingIdentifier(_ setting: String, of name: String) -> String? {
    let identifier = text(setting)
    return identifier == name ? nil : identifier
  }

  /// A value that is written as text; the text of a date is localized and ignored.
  func value(_ name: String, of type: AttributeType) throws(ModelError) -> AttributeValue? {
    guard let text = values[name]?.string, type.isWritten(as: text), type != .date else {
      return nil
    }
    guard let value = SourceValue.value(text, of: type) else {
      throw fault("\(name) is \(text), which is not a valid \(type.name)")
    }
    return value
  }

  func validationPredicates(of type: AttributeType) throws(ModelError) -> [ValuePredicate] {
    let limited: AttributeType = type == .string ? .integer64 : type
    return ValidationLimits(
      least: try limit("XD_PAttK_minValueString", of: limited),
      greatest: try limit("XD_PAttK_maxValueString", of: limited),
      pattern: type == .string ? text("XD_PAttK_regularExpressionString") : nil
    ).predicates(of: type)
  }

  private func limit(_ name: String, of type: AttributeType) throws(ModelError) -> AttributeValue? {
    try text(name) == nil ? nil : value(name, of: type)
  }
}
