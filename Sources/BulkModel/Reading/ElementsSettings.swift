internal import BulkCoding

/// The settings of an entity or a property in an old model, by the editor's names for them.
///
/// A setting is an `XDUMLPropertyImp` of one of the element's stereotypes; its value is `_default`.
struct ElementsSettings {
  private let path: String
  /// What the settings describe, such as `entity Note, attribute title`.
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

  /// Lists of names.
  func lists(_ name: String) -> [[String]] {
    (values[name]?.elements ?? [])
      .map { ($0?.elements ?? []).compactMap { $0?.string } }
      .filter { !$0.isEmpty }
  }

  /// The entries that are texts.
  func userInfo(_ name: String) -> [String: String] {
    var result: [String: String] = [:]
    for (key, value) in values[name]?.entries ?? [] { result[key] = value?.string }
    return result
  }

  /// The identifier of a renaming; `nil` where it says no more than the name.
  func renamingIdentifier(_ setting: String, of name: String) -> String? {
    let identifier = text(setting)
    return identifier == name ? nil : identifier
  }

  /// A value that is written as text; that of a date is localised and says nothing.
  func value(_ name: String, of type: AttributeType) throws(ModelError) -> AttributeValue? {
    guard let text = values[name]?.string else { return nil }
    switch type {
    case .date, .undefined, .binaryData, .transformable, .objectID, .composite: return nil
    case .string: break
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .uuid, .uri:
      if text.isEmpty { return nil }
    }
    guard let value = SourceValue.value(text, of: type) else {
      throw fault("\(name) is \(text), which is no \(type.name)")
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
