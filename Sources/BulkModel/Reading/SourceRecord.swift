internal import BulkSupport

/// An element of a model's XML, with its content.
struct SourceElement {
  /// The nesting limit of elements, far beyond that of any model.
  static let depthLimit = 32

  let name: String
  let line: Int
  let attributes: [String: String]
  private(set) var children: [SourceElement] = []

  static func root(of bytes: [UInt8]) throws(CodingError) -> SourceElement {
    var scanner = try XMLScanner(bytes)
    var open: [SourceElement] = []
    var root: SourceElement?
    while let event = try scanner.next() {
      switch event {
      case .start(let name, let attributes):
        guard open.count < depthLimit else {
          throw .xml(line: scanner.line, reason: "holds more than \(depthLimit) levels")
        }
        open.append(SourceElement(name: name, line: scanner.line, attributes: attributes))
      case .end:
        guard let last = open.popLast() else { continue }
        guard let parent = open.indices.last else {
          root = last
          continue
        }
        open[parent].children.append(last)
      case .text: continue
      }
    }
    guard let root else { throw .xml(line: scanner.line, reason: "has no element") }
    return root
  }

  func children(_ name: String) -> [SourceElement] { children.filter { $0.name == name } }

  /// The other names of attributes, by those that Xcode writes.
  private static let synonyms = ["elementID": "renamingIdentifier", "deletionRule": "deleteRule"]

  /// The value of an attribute; `nil` if it is absent or empty.
  func text(_ attribute: String) -> String? {
    if let text = attributes[attribute], !text.isEmpty { return text }
    return Self.synonyms[attribute].flatMap(text)
  }
}

enum SourceValue {
  /// `YES` and `NO`, and their variants in handwritten files.
  static func boolean(_ text: String) -> Bool? {
    switch text {
    case "YES", "true", "1": true
    case "NO", "false", "0": false
    default: nil
    }
  }

  /// The value of a text for an attribute's type; `nil` if the text is invalid.
  ///
  /// An integer may have a fraction of zero, and a number may be written as a Boolean, because the editor
  /// keeps a text when the type of its attribute changes. `YES` and `NO` as numbers are 0, as in the model
  /// caches of stores and the copies in mapping models.
  static func value(_ text: String, of type: AttributeType) -> AttributeValue? {
    switch type.kind {
    case .integer: integer(text).map { .integer($0) }
    case .decimal: decimal(text).map { .decimal($0) }
    case .double: double(text).map { .double($0) }
    case .boolean: boolean(text).map { .boolean($0) } ?? integer(text).map { .boolean($0 != 0) }
    case .string: .string(text)
    case .date: Double(text).flatMap { $0.isFinite ? .date($0) : nil }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: .uri(text)
    case .binary, nil: nil
    }
  }

  private static func integer(_ text: String) -> Int64? {
    if let number = Int64(text) { return number }
    return double(text).flatMap { Int64(exactly: $0) }
  }

  private static func double(_ text: String) -> Double? {
    if let number = Double(text) { return number.isFinite ? number : nil }
    return boolean(text) == nil ? nil : 0
  }

  private static func decimal(_ text: String) -> Decimal? {
    // Foundation ignores trailing characters; a number has no other characters.
    let isNumber = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    return isNumber ? Decimal(string: text) : boolean(text).map { _ in 0 }
  }
}

extension AttributeType {
  /// Whether a text states a value of the type; an empty text does so only for strings.
  func isWritten(as text: String) -> Bool {
    kind != nil && kind != .binary && (self == .string || !text.isEmpty)
  }
}

/// A part of the source of a model: an element of the XML file `contents` of an `.xcdatamodel`.
///
/// Its root is `<model type="com.apple.IDECoreDataModeler.DataModel">`. Unknown elements and attributes are
/// ignored, because every editor adds some.
struct SourceRecord: ModelRecord {
  private static let type = "com.apple.IDECoreDataModeler.DataModel"
  static let format = ModelFormat.source

  let path: String
  private let element: SourceElement
  /// The subject in error messages, from outside in, such as `entity Note, attribute title`.
  private var subject = ""
  /// The `<composite>` elements of the model, by name.
  private let composites: [String: SourceElement]

  init(_ bytes: [UInt8], path: String) throws(ModelError) {
    do throws(CodingError) {
      element = try SourceElement.root(of: bytes)
    } catch {
      guard case .xml(let line, let reason) = error else {
        throw .notAModel(path: path, reason: "\(error)")
      }
      throw .invalid(path: path, location: "line \(line)", reason: "the XML \(reason)")
    }
    guard element.name == "model", (element.text("type") ?? Self.type) == Self.type else {
      throw .notAModel(path: path, reason: "its XML is a <\(element.name)>, not a data model")
    }
    self.path = path
    composites = Dictionary(
      firstOf: element.children("composite").map { ($0.attributes["name"] ?? "", $0) }
    )
  }

  private init(_ element: SourceElement, in parent: SourceRecord) {
    self.element = element
    path = parent.path
    composites = parent.composites
    subject = parent.subject
    guard let name = element.attributes["name"] else { return }
    subject += (subject.isEmpty ? "" : ", ") + "\(element.name) \(name)"
  }

  func fault(_ reason: String) -> ModelError {
    let location = "line \(element.line)" + (subject.isEmpty ? "" : ", " + subject)
    return .invalid(path: path, location: location, reason: reason)
  }

  func name() throws(ModelError) -> String {
    element.name == "fetchRequest" ? element.attributes["name"] ?? "" : try required("name")
  }

  private func required(_ attribute: String) throws(ModelError) -> String {
    try required(attribute, "<\(element.name)> lacks the attribute \(attribute)")
  }

  func text(_ attribute: String) -> String? { element.text(attribute) }

  /// A flag, which is present only if it is true, as `YES`.
  func flag(_ attribute: String) throws(ModelError) -> Bool {
    guard let value = text(attribute) else { return false }
    guard let flag = SourceValue.boolean(value) else {
      throw fault("\(attribute) is \(value), neither YES nor NO")
    }
    return flag
  }

  func integer(_ attribute: String) throws(ModelError) -> Int64? {
    guard let value = text(attribute) else { return nil }
    guard let number = Int64(value) else { throw fault("\(attribute) is \(value), not an integer") }
    return number
  }

  private func date(_ attribute: String) throws(ModelError) -> AttributeValue? {
    guard let text = text(attribute) else { return nil }
    guard let date = SourceValue.value(text, of: .date) else {
      throw fault("\(attribute) is \(text), not a number")
    }
    return date
  }

  /// A list of lists of names, as in indexes and constraints.
  func lists(_ name: String) -> [[String]] {
    element.children(name).flatMap(\.children)
      .map { $0.children.compactMap { $0.text("value") } }
      .filter { !$0.isEmpty }
  }

  /// The entries of `userInfo`; the last of duplicate keys wins.
  func userInfo(_ name: String) -> [String: String] {
    var result: [String: String] = [:]
    for entry in element.children(name).flatMap({ $0.children("entry") }) {
      guard let key = entry.attributes["key"] else { continue }
      result[key] = entry.attributes["value"] ?? ""
    }
    return result
  }

  func predicate(_ attribute: String) throws(ModelError) -> ValuePredicate? {
    try parsed(attribute) { text throws(ExpressionError) in try ValuePredicate(format: text) }
  }

  private func expression(_ attribute: String) throws(ModelError) -> ValueExpression? {
    try parsed(attribute) { text throws(ExpressionError) in try ValueExpression(format: text) }
  }

  private func parsed<Value>(
    _ attribute: String,
    _ parse: (String) throws(ExpressionError) -> Value
  ) throws(ModelError) -> Value? {
    guard let text = text(attribute) else { return nil }
    do throws(ExpressionError) {
      return try parse(text)
    } catch {
      throw fault("\(attribute): \(error)")
    }
  }

  func children(_ kind: RecordKind) throws(ModelError) -> [SourceRecord] {
    switch kind {
    case .entity: children("entity")
    case .attribute: children("attribute")
    case .relationship: children("relationship")
    case .fetchedProperty: children("fetchedProperty")
    case .index: children("fetchIndex")
    case .indexElement: children("fetchIndexElement")
    case .fetchRequest: children("fetchRequest")
    case .compositeElement: try compositeElements()
    }
  }

  private func children(_ name: String) -> [SourceRecord] {
    element.children(name).map { SourceRecord($0, in: self) }
  }

  private func compositeElements() throws(ModelError) -> [SourceRecord] {
    guard try attributeType() == .composite else { return [] }
    let name = try required("composite")
    guard let composite = composites[name] else {
      throw fault("the composite type \(name) is not in the model")
    }
    var root = self
    root.subject = ""
    return SourceRecord(composite, in: root).children("attribute")
  }
}

extension SourceRecord {
  func versionIdentifiers() -> [String] {
    element.attributes["userDefinedModelVersionIdentifier"].map { [$0] } ?? []
  }

  func configurations() throws(ModelError) -> [String: [String]] {
    var result: [String: [String]] = [:]
    for child in children("configuration") {
      let members = child.element.children("memberEntity").compactMap { $0.text("name") }
      result[try child.required("name")] = members
    }
    return result
  }

  /// A missing type means Undefined.
  func attributeType() throws(ModelError) -> AttributeType {
    guard let text = text("attributeType") else { return .undefined }
    guard let type = AttributeType.allCases.first(where: { $0.name == text }) else {
      throw fault("the type \(text) is unknown")
    }
    return type
  }

  func destination() throws(ModelError) -> String { try required("destinationEntity") }

  func requestedEntity() throws(ModelError) -> String? { try required("entity") }

  func indexElement() throws(ModelError) -> FetchIndexDescription.Element {
    let subject: FetchIndexDescription.Subject
    if let expression = try expression("expression") {
      subject = .expression(expression)
    } else {
      subject = .property(try required("property"))
    }
    return FetchIndexDescription.Element(
      subject,
      kind: text("type")?.lowercased() == "rtree" ? .rTree : .binary,
      isAscending: text("order") != "descending"
    )
  }

  func complete(_ entity: inout EntityDescription) {}

  /// The default and the limits of a date are in seconds since 2001-01-01; their texts are localized and ignored.
  func complete(_ attribute: inout AttributeDescription) throws(ModelError) {
    let type = attribute.attributeType
    if type == .date {
      attribute.defaultValue = try date("defaultDateTimeInterval")
      attribute.validationPredicates = type.limits(
        least: try date("minDateTimeInterval"),
        greatest: try date("maxDateTimeInterval")
      )
    } else {
      if let text = element.attributes["defaultValueString"], type.isWritten(as: text) {
        attribute.defaultValue = try value(text, of: type, "the default value \(text)")
      }
      attribute.validationPredicates = try limits(
        "minValueString",
        "maxValueString",
        pattern: "regularExpressionString",
        of: type
      )
    }
    if type == .composite { attribute.compositeName = try required("composite") }
    if try flag("derived") || text("derivationExpression") != nil {
      attribute.derivationExpression = try expression("derivationExpression")
      attribute.filteringPredicate = try predicate("filteringPredicate")
      // Core Data makes every derived attribute read-only.
      attribute.isReadOnly = attribute.derivationExpression != nil
    }
  }

  func complete(_ relationship: inout RelationshipDescription) throws(ModelError) {
    switch text("deletionRule") {
    case nil, "Nullify": relationship.deleteRule = .nullify
    case "Cascade": relationship.deleteRule = .cascade
    case "Deny": relationship.deleteRule = .deny
    case "No Action": relationship.deleteRule = .noAction
    case let rule?: throw fault("the delete rule \(rule) is unknown")
    }
  }
}
