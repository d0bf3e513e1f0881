internal import BulkSupport

/// A part of a model that is an object of an archive.
protocol ArchivedRecord: ModelRecord {
  /// Whether a value of the wrong kind is an error; it is ignored otherwise.
  static var isStrict: Bool { get }
  /// The subject in error messages, such as `entity Note, attribute title`.
  var subject: String { get }

  /// The value of a key; `nil` if it is absent or `$null`.
  subscript(key: String) -> ArchivedObject? { get }
}

extension ArchivedRecord {
  func fault(_ reason: String) -> ModelError {
    let location = subject.isEmpty ? "the model" : subject
    return .invalid(path: path, location: location, reason: reason)
  }

  func subject(_ kind: String, _ name: String) -> String {
    (subject.isEmpty ? "" : subject + ", ") + "\(kind) \(name)"
  }

  private func value<Value>(
    _ key: String,
    _ kind: String,
    _ convert: (ArchivedObject) -> Value?
  ) throws(ModelError) -> Value? {
    guard let object = self[key] else { return nil }
    let value = convert(object)
    guard value != nil || !Self.isStrict else { throw fault("\(key) is not \(kind)") }
    return value
  }

  func text(_ key: String) throws(ModelError) -> String? {
    let text = try value(key, "a string", \.string)
    return text?.isEmpty == true ? nil : text
  }

  func flag(_ key: String) throws(ModelError) -> Bool {
    guard let flag = try value(key, "a Boolean", \.boolean) else { return false }
    return flag
  }

  func integer(_ key: String) throws(ModelError) -> Int64? {
    try value(key, "an integer", \.integer)
  }

  /// The elements of a collection, without nil.
  func elements(_ key: String) throws(ModelError) -> [ArchivedObject] {
    guard let elements = try value(key, "a collection", \.elements) else { return [] }
    return elements.compactMap(\.self)
  }

  /// The entries of a dictionary, without nil.
  func entries(_ key: String) throws(ModelError) -> [(key: String, value: ArchivedObject)] {
    guard let entries = try value(key, "a dictionary with strings as keys", \.entries) else {
      return []
    }
    return entries.compactMap { entry in entry.value.map { (entry.key, $0) } }
  }

  func lists(_ key: String) throws(ModelError) -> [[String]] {
    var result: [[String]] = []
    for list in try elements(key) {
      let names = list.elements
      guard names != nil || !Self.isStrict else {
        throw fault("an element of \(key) is not a list")
      }
      result.append((names ?? []).compactMap { $0?.string })
    }
    return result.filter { !$0.isEmpty }
  }

  func userInfo(_ key: String) throws(ModelError) -> [String: String] {
    var result: [String: String] = [:]
    for (key, value) in try entries(key) { result[key] = value.string }
    return result
  }
}

/// A part of a compiled model: an archive of `NSManagedObjectModel`, as in a `.mom` and, compressed, in the table
/// `Z_MODELCACHE` of a store.
///
/// Keys: formats/models.md 5. An absent flag is not set. The archive's references form
/// cycles; here entities and properties refer to each other by name.
struct CompiledRecord: ArchivedRecord {
  static let format = ModelFormat.archive
  static let isStrict = true

  private final class Entities {
    /// The names by their indexes in the archive.
    var names: [Int: String] = [:]
    var records: [String: CompiledRecord] = [:]
    /// The keys of each entity's properties in the archive.
    var propertyNames: [String: Set<String>] = [:]

    /// The name of a referenced entity; old archives contain the name itself.
    func name(_ object: ArchivedObject) -> String? {
      object.index.flatMap { names[$0] } ?? object["NSEntityName"]?.string ?? object.string
    }
  }

  let path: String
  private(set) var subject = ""
  private var object: ArchivedObject
  private var ownName = ""
  private let known = Entities()

  init(_ root: ArchivedObject, path: String) throws(ModelError) {
    object = root
    self.path = path
    for (key, object) in try entries("NSEntities") {
      var entity = child(object, "entity", key)
      let name = try entity.required("NSEntityName")
      entity.ownName = name
      guard known.records.updateValue(entity, forKey: name) == nil else {
        throw entity.fault("another entity has the name \(name) too")
      }
      if let index = object.index { known.names[index] = name }
      known.propertyNames[name] = Set(try entity.entries("NSProperties").map(\.key))
    }
  }

  private func child(
    _ object: ArchivedObject,
    _ kind: String,
    _ label: String,
    named name: String? = nil
  ) -> CompiledRecord {
    var child = self
    child.object = object
    child.subject = subject(kind, label)
    child.ownName = name ?? label
    return child
  }

  subscript(key: String) -> ArchivedObject? { object[key] }

  func name() -> String { ownName }

  private func required(_ key: String) throws(ModelError) -> String {
    try required(key, "\(key) is missing")
  }

  private func expression(_ key: String) throws(ModelError) -> ValueExpression? {
    guard let object = object[key] else { return nil }
    return try decoded(key) { () throws(ExpressionArchiveError) in
      try ValueExpression(archived: object)
    }
  }

  func predicate(_ key: String) throws(ModelError) -> ValuePredicate? {
    guard let object = object[key] else { return nil }
    return try predicate(object, of: key)
  }

  private func predicate(
    _ object: ArchivedObject,
    of key: String
  ) throws(ModelError) -> ValuePredicate {
    try decoded(key) { () throws(ExpressionArchiveError) in try ValuePredicate(archived: object) }
  }

  private func decoded<Value>(
    _ key: String,
    _ decode: () throws(ExpressionArchiveError) -> Value
  ) throws(ModelError) -> Value {
    do throws(ExpressionArchiveError) {
      return try decode()
    } catch {
      throw fault("\(key): \(error)")
    }
  }

  func children(_ kind: RecordKind) throws(ModelError) -> [CompiledRecord] {
    switch kind {
    case .entity:
      known.records.keys.sortedByCodeUnit().compactMap { known.records[$0] }
    case .attribute, .relationship, .fetchedProperty: try properties(kind)
    case .compositeElement:
      object.isKind(of: "NSCompositeAttributeDescription")
        ? try elements("NSCompositeElements")
          .map { child($0, "element", $0["NSPropertyName"]?.string ?? "") } : []
    case .index:
      try elements("NSFetchIndexDescriptions")
        .map { child($0, "index", $0["NSIndexName"]?.string ?? "") }
    case .indexElement:
      try elements("NSIndexElements").enumerated()
        .map { child($0.element, "element", "\($0.offset)") }
    case .fetchRequest:
      if let request = object["NSFetchRequest"] {
        [child(request, "fetch request", ownName, named: "fetchedPropertyFetchRequest")]
      } else {
        try entries("NSFetchRequestTemplates").map { child($0.value, "fetch request", $0.key) }
      }
    }
  }

  private func properties(_ kind: RecordKind) throws(ModelError) -> [CompiledRecord] {
    var result: [CompiledRecord] = []
    for (key, object) in try entries("NSProperties") where !isInherited(key) {
      let property = object["NSUnderlyingProperty"] ?? object
      let name = property["NSPropertyName"]?.string ?? key
      let kinds: [(String, RecordKind, String)] = [
        ("NSAttributeDescription", .attribute, "attribute"),
        ("NSRelationshipDescription", .relationship, "relationship"),
        ("NSFetchedPropertyDescription", .fetchedProperty, "fetched property"),
      ]
      guard let found = kinds.first(where: { property.isKind(of: $0.0) }) else {
        throw fault("the property \(name) is a \(property.className ?? "plain value")")
      }
      if found.1 == kind { result.append(child(property, found.2, name)) }
    }
    return result
  }

  /// Whether a superentity has a property; the archive of a model that has been in use repeats inherited
  /// properties in every subentity, as full copies or as proxies.
  private func isInherited(_ property: String) -> Bool {
    var above = object["NSSuperentity"].flatMap(known.name)
    var steps = 0
    while let name = above, steps < known.records.count {
      if known.propertyNames[name]?.contains(property) == true { return true }
      above = known.records[name]?["NSSuperentity"].flatMap(known.name)
      steps += 1
    }
    return false
  }
}

extension CompiledRecord {
  func versionIdentifiers() throws(ModelError) -> [String] {
    try elements("NSVersionIdentifiers").compactMap(\.string)
  }

  func configurations() throws(ModelError) -> [String: [String]] {
    var result: [String: [String]] = [:]
    for (name, members) in try entries("NSConfigurations") {
      result[name] = (members.elements ?? []).compactMap { $0.flatMap(known.name) }
    }
    return result
  }

  func attributeType() throws(ModelError) -> AttributeType {
    try attributeType(number: try integer("NSAttributeType") ?? 0)
  }

  func destination() throws(ModelError) -> String {
    if let name = try text("_NSDestinationEntityName") { return name }
    guard let name = object["NSDestinationEntity"].flatMap(known.name) else {
      throw fault("the destination is missing")
    }
    return name
  }

  func requestedEntity() throws(ModelError) -> String? {
    if let name = object["NSEntity"].flatMap(known.name) { return name }
    return try text("NSEntityName")
  }

  /// An element with an expression names a property that does not exist (`expression1`).
  func indexElement() throws(ModelError) -> FetchIndexDescription.Element {
    let number = try integer("NSFetchIndexElementType") ?? 0
    guard let kind = FetchIndexDescription.Kind(rawValue: number) else {
      throw fault("the type \(number) is unknown")
    }
    let subject: FetchIndexDescription.Subject
    if let indexed = object["NSIndexedProperty"], indexed["NSExpression"] != nil,
      let expression = try child(indexed, "property", "NSIndexedProperty")
        .expression("NSExpression")
    {
      subject = .expression(expression)
    } else {
      subject = .property(try required("NSPropertyName"))
    }
    let isAscending = object.has("NSAscending") ? try flag("NSAscending") : true
    return FetchIndexDescription.Element(subject, kind: kind, isAscending: isAscending)
  }

  func complete(_ entity: inout EntityDescription) {
    entity.superentityName = object["NSSuperentity"].flatMap(known.name)
  }

  func complete(_ attribute: inout AttributeDescription) throws(ModelError) {
    let type = attribute.attributeType
    let flags = CompiledAttributeFlags(rawValue: try integer("NSFlagsKey") ?? 0)
    attribute.allowsExternalBinaryDataStorage = flags.contains(.externalStorage)
    attribute.preservesValueInHistoryOnDeletion = flags.contains(.preservedInHistory)
    if attribute.attributeValueClassName == type.valueClassName {
      attribute.attributeValueClassName = nil
    }
    for (key, value) in try entries("NSUserInfo") where key == UserInfoKey.locationComponents {
      attribute.locationComponents = (value.elements ?? []).compactMap { $0?.string }
    }
    attribute.defaultValue = object["NSDefaultValue"]?.defaultValue(of: type)
    attribute.derivationExpression = try expression("NSDerivationExpression")
    attribute.filteringPredicate = try predicate("NSFilteringPredicate")
    let key = "NSValidationPredicates"
    attribute.validationPredicates = try elements(key)
      .map { object throws(ModelError) in try predicate(object, of: key) }
  }

  /// A relationship is to-one if its maximum count is 1.
  func complete(_ relationship: inout RelationshipDescription) throws(ModelError) {
    if relationship.inverseName == nil {
      relationship.inverseName = object["NSInverseRelationship"]?["NSPropertyName"]?.string
    }
    relationship.maxCount = try integer("NSMaxCount") ?? 0
    relationship.isToMany = relationship.maxCount != 1
    relationship.deleteRule = try deleteRule(number: try integer("NSDeleteRule") ?? 1)
  }
}

extension ArchivedObject {
  /// A default value, decoded by the attribute's type; archives hold Booleans as integers too.
  ///
  /// The default of a transformable attribute is an object of the application and is ignored.
  fileprivate func defaultValue(of type: AttributeType) -> AttributeValue? {
    switch type.kind {
    case .integer:
      integer.map { .integer($0) }
        ?? double.flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map { .integer($0) }
    case .boolean: integer.map { .boolean($0 != 0) }
    case .double: double.map { .double($0) }
    case .decimal:
      decimal.map { .decimal($0) } ?? integer.map { .decimal(Decimal($0)) }
        ?? double.map { .decimal(Decimal($0)) }
    case .string: string.map { .string($0) }
    case .date: date.map { .date($0) }
    case .binary: type == .transformable ? nil : data.map { .binary($0) }
    case .uuid: uuid.map { .uuid($0) }
    case .uri: url.map { .uri($0) }
    case nil: nil
    }
  }
}

struct CompiledAttributeFlags: OptionSet {
  let rawValue: Int64
  static let externalStorage = CompiledAttributeFlags(rawValue: 4)
  static let preservedInHistory = CompiledAttributeFlags(rawValue: 16)
}
