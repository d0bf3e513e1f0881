internal import BulkSupport
internal import BulkModel

/// Reads the JSON of a mapping file, and reports every violation of the format.
final class MappingJSONReader {
  /// The placeholder in a starter mapping where inference found nothing.
  static let unknownMark = "?"

  private let origin: MappingOrigin
  private let report = MappingReport([], namingFiles: false)
  private var propertyCount = 0

  private init(_ origin: MappingOrigin) { self.origin = origin }

  static func read(_ origin: MappingOrigin, _ document: JSONDocument) -> MappingJSON {
    MappingJSONReader(origin).mapping(document)
  }

  func error(_ value: JSONValue, _ subject: String, _ reason: String) {
    report.error(location(value.offset), subject, reason)
  }

  func location(_ offset: Int) -> MappingLocation { MappingLocation(origin, .byte(offset)) }

  private func mapping(_ document: JSONDocument) -> MappingJSON {
    var result = MappingJSON(part: MappingPart(origin))
    for entry in document.duplicates {
      report.error(location(entry.offset), "", "the entry \(entry.name) appears twice")
    }
    let names = Self.head.map(\.name) + Self.body.map(\.name)
    if let entries = entries(document.root, "", names) {
      let format = entries["bulkmigrate"]
      if format?.string != MappingFile.format {
        let reason = "its entry bulkmigrate should be \"\(MappingFile.format)\""
        error(format ?? document.root, "", reason)
      }
      for field in Self.head { field.read(entries, self, "", into: &result) }
      result.isBroken = !report.errors.isEmpty
      for field in Self.body { field.read(entries, self, "", into: &result.part) }
    } else {
      result.isBroken = true
    }
    result.part.errors = report.errors
    return result
  }

  /// The entries of an object, by name, and `nil` for anything else; unknown entries are errors.
  func entries(
    _ value: JSONValue,
    _ subject: String,
    _ names: [String]
  ) -> [String: JSONValue]? {
    guard let members = members(value, subject) else { return nil }
    var result: [String: JSONValue] = [:]
    for member in members {
      guard names.contains(member.name) else {
        let nearest = NearestName.of(member.name, among: names)
        let hint =
          nearest.map { "did you mean \($0)?" } ?? "known are \(names.joined(separator: ", "))"
        let reason = "the entry \(member.name) is unknown; \(hint)"
        report.error(location(member.offset), subject, reason)
        continue
      }
      result[member.name] = member.value
    }
    return result
  }

  /// Reads the entries of an object, whose subjects begin with a text.
  @discardableResult
  func read<Draft>(
    _ value: JSONValue,
    _ subject: String,
    _ fields: [JSONField<Draft>],
    into draft: inout Draft,
    _ beginning: (Draft) -> String
  ) -> [String: JSONValue]? {
    guard let entries = entries(value, subject, fields.map(\.name)) else { return nil }
    for field in fields { field.read(entries, self, beginning(draft), into: &draft) }
    return entries
  }

  /// The entries of an object, in order.
  private func members(_ value: JSONValue, _ subject: String) -> [JSONMember]? {
    if let members = value.members { return members }
    error(value, subject, "it is \(value.kind), not an object")
    return nil
  }

  /// The elements of an array, which must have at least one where `isFilled`; `nil` after an error.
  func elements(
    _ value: JSONValue,
    _ subject: String,
    _ content: String,
    limit: Int = .max,
    isFilled: Bool = false
  ) -> [JSONValue]? {
    guard case .array(let elements) = value.content else {
      error(value, subject, "it is \(value.kind), not an array \(content)")
      return nil
    }
    guard elements.count <= limit else {
      error(value, subject, "there are more than \(limit)")
      return nil
    }
    guard !elements.isEmpty || !isFilled else {
      error(value, subject, "it is empty, not an array \(content)")
      return nil
    }
    return elements
  }

  /// A text, which must not be empty.
  func text(_ value: JSONValue, _ subject: String) -> String? {
    guard let text = value.string, !text.isEmpty else {
      let found = value.string == nil ? value.kind : "empty"
      error(value, subject, "it is \(found), not a text")
      return nil
    }
    return text
  }

  func name(_ value: JSONValue, _ subject: String) -> LocatedName? {
    text(value, subject).map { LocatedName(text: $0, location: location(value.offset)) }
  }

  private func path(_ value: JSONValue, _ subject: String) -> String? {
    guard let text = text(value, subject) else { return nil }
    guard !text.utf8.contains(0) else {
      error(value, subject, "it holds a NUL, as no path may")
      return nil
    }
    return text
  }

  /// The paths of an array; one that appears twice is an error.
  private func paths(
    _ value: JSONValue,
    _ subject: String,
    limit: Int,
    isFilled: Bool
  ) -> [LocatedName] {
    var seen: Set<String> = []
    let elements = elements(value, subject, "of paths", limit: limit, isFilled: isFilled)
    return (elements ?? []).compactMap { element in
      guard let path = path(element, subject) else { return nil }
      if !seen.insert(path).inserted { error(element, subject, "\(path) appears twice") }
      return LocatedName(text: path, location: location(element.offset))
    }
  }

  private func choice(_ value: JSONValue, _ subject: String, _ names: [String]) -> String? {
    if let text = value.string, names.contains(text) { return text }
    let list = names.dropLast().joined(separator: ", ")
    let known = names.count == 1 ? "\(names[0]) is" : "\(list) and \(names.last ?? "") are"
    let hint = value.string.map { MappingResolver.hint($0, among: names) } ?? ""
    error(value, subject, "only \(known) known\(hint)")
    return nil
  }

  func number(_ value: JSONValue, _ subject: String, from least: Int64) -> Int64? {
    if case .number(let digits) = value.content, let number = Int64(digits), number >= least {
      return number
    }
    error(value, subject, "it is not a whole number from \(least) on")
    return nil
  }

  /// A text and what it parses to; an error in it is reported.
  private func parsed<Value>(
    _ value: JSONValue,
    _ subject: String,
    _ parse: (String) throws(ExpressionError) -> Value?
  ) -> Parsed<Value>? {
    guard let name = name(value, subject) else { return nil }
    do throws(ExpressionError) {
      return Parsed(text: name, value: try parse(name.text))
    } catch {
      report.error(name.location.character(error.offset), subject, "\(error.reason)")
      return Parsed(text: name, value: nil)
    }
  }

  /// A predicate; without a value where it is always true.
  func predicate(_ value: JSONValue, _ subject: String) -> Parsed<ValuePredicate>? {
    parsed(value, subject) { text throws(ExpressionError) in
      try ValuePredicate(format: text).asFilter
    }
  }

  /// A text, a number, true, false or null, as it is written; `nil` after an error.
  private func plainValue(_ value: JSONValue, _ subject: String) -> AttributeValue? {
    switch value.content {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .string(let text): return .string(text)
    case .number(let digits):
      if let number = AttributeValue(jsonNumber: digits) { return number }
      error(value, subject, "\(digits) does not fit into 64 bits")
      return nil
    case .array, .object:
      error(value, subject, "it is \(value.kind), not a text, a number, true, false or null")
      return nil
    }
  }

  private func userInfo(_ value: JSONValue, _ subject: String) -> [String: AttributeValue]? {
    var result: [String: AttributeValue] = [:]
    for member in members(value, subject) ?? [] {
      guard let entry = AttributeValue(json: member.value) else {
        let reason = "it is not a value: \(AttributeValue.jsonForms)"
        error(member.value, "\(subject) \(member.name)", reason)
        continue
      }
      result[member.name] = entry
    }
    return result
  }
}

extension MappingJSONReader {
  /// Those that say what the others are about.
  static let head: [JSONField<MappingJSON>] = [
    JSONField("bulkmigrate") { _, _, _, _ in }, JSONField("$schema") { _, _, _, _ in },
    JSONField("source") { $3.source = $0.endpoint($1, $2) },
    JSONField("destination") { $3.destination = $0.endpoint($1, $2) },
    JSONField("infer", \.infer) {
      $0.choice($1, $2, MappingFile.Inference.allCases.map(\.rawValue)).flatMap {
        .init(rawValue: $0)
      }
    },
    JSONField("mapping", \.xcodePath) { $0.path($1, $2) },
    JSONField("mappings", excluding: ["entityMappings", "mapping"]) {
      $3.listed = $0.paths($1, $2, limit: MappingLimits.parts, isFilled: true)
    },
    JSONField(
      "chain",
      \.chain,
      excluding: ["entityMappings", "mapping", "mappings", "infer", "passes", "expect"]
    ) {
      $0.paths($1, $2, limit: MappingLimits.chainEntries, isFilled: false).map(\.text)
    },
  ]

  static let body: [JSONField<MappingPart>] = [
    JSONField("passes") { reader, value, subject, part in
      let limit = MappingLimits.entityMappings
      part.passes = (reader.elements(value, subject, "of passes", limit: limit) ?? [])
        .compactMap { reader.elements($0, subject, "of source entities", isFilled: true) }
        .map { $0.compactMap { reader.name($0, subject) } }
    },
    JSONField("expect") { reader, value, subject, part in
      let limit = MappingLimits.expectations
      part.expectations = (reader.elements(value, subject, "of objects", limit: limit) ?? [])
        .compactMap { reader.expectation($0) }
    },
    JSONField("entityMappings", excluding: ["mapping"]) { reader, value, subject, part in
      let limit = MappingLimits.entityMappings
      part.drafts = (reader.elements(value, subject, "of objects", limit: limit) ?? [])
        .compactMap { reader.entityMapping($0) }
    },
  ]

  static let endpoint: [JSONField<MappingFile.Endpoint>] = [
    JSONField("store", \.store) { $0.path($1, $2) },
    JSONField("model", \.model) { $0.path($1, $2) },
  ]

  private func endpoint(_ value: JSONValue, _ subject: String) -> MappingFile.Endpoint {
    var result = MappingFile.Endpoint()
    read(value, subject, Self.endpoint, into: &result) { _ in "\(subject)." }
    return result
  }
}

extension MappingJSONReader {
  static let entityMapping: [JSONField<EntityMappingDraft>] = [
    JSONField("name", \.name) { $0.name($1, $2) },
    JSONField("source", \.source) { $0.name($1, $2) },
    JSONField("destination", \.destination) { $0.name($1, $2) },
    JSONField("type", \.kind) {
      $0.choice($1, $2, EntityMapping.Kind.allCases.map(\.name)).flatMap { .init(name: $0) }
    },
    JSONField("filter", \.filter) { $0.predicate($1, $2) },
    JSONField("policy", \.policy) { $0.name($1, $2) },
    JSONField("forEach", \.elements) { $0.parsed($1, $2, ValueExpression.init(format:)) },
    JSONField("unique", \.unique) { reader, value, subject in
      let content = "of attributes' names"
      return (reader.elements(value, subject, content, isFilled: true) ?? [])
        .compactMap { reader.name($0, subject) }
    },
    JSONField("keep", \.kept) { reader, value, subject in
      reader.choice(value, subject, ObjectUniqueness.Kept.allCases.map(\.rawValue))
        .map { LocatedName(text: $0, location: reader.location(value.offset)) }
    },
    JSONField("userInfo") { $3.userInfo = $0.userInfo($1, $2) ?? [:] },
    JSONField("attributes") { reader, value, _, draft in
      draft.attributes = reader.properties(
        value,
        "\(draft.subject), attribute",
        MappingJSONReader.attribute
      )
    },
    JSONField("relationships") { reader, value, _, draft in
      let subject = "\(draft.subject), relationship"
      draft.relationships = reader.properties(value, subject, MappingJSONReader.relationship)
    },
  ]

  private func entityMapping(_ value: JSONValue) -> EntityMappingDraft? {
    var draft = EntityMappingDraft(location: location(value.offset))
    let entries = read(value, draft.subject, Self.entityMapping, into: &draft) { "\($0.subject), " }
    return entries == nil ? nil : draft
  }

  private static let property: [JSONField<PropertyMappingDraft>] = [
    JSONField("value") { _, _, _, _ in },
    JSONField("userInfo") { $3.userInfo = $0.userInfo($1, $2) ?? [:] },
  ]
  static let attribute: [JSONField<PropertyMappingDraft>] =
    property + [
      JSONField("lookup") { $3.ownChoice.entries = $0.lookup($1, $2) },
      JSONField("otherwise", requiring: "lookup") {
        $3.ownChoice.otherwise = $0.expression($1, $2, &$3.texts)
      },
      JSONField("default") { $3.ownChoice.initial = $0.expression($1, $2, &$3.texts) },
    ]
  static let relationship: [JSONField<PropertyMappingDraft>] =
    property + [
      JSONField("mapping", excluding: ["value"]) {
        let name = $0.name($1, $2)
        if let name { $3.texts.append(name) }
        $3.value = name.map { .lookup(mapping: $0.text, instances: nil) } ?? .faulty
      },
      JSONField("of", requiring: "mapping") {
        let objects = $0.expression($1, $2, &$3.texts)
        guard case .lookup(let mapping, _) = $3.value else { return }
        $3.value = objects.map { .lookup(mapping: mapping, instances: $0) } ?? .faulty
      },
      JSONField("several") { $3.takesFirst = $0.choice($1, $2, ["first"]) != nil },
    ]

  private func properties(
    _ value: JSONValue,
    _ subject: String,
    _ fields: [JSONField<PropertyMappingDraft>]
  ) -> [PropertyMappingDraft] {
    (members(value, "\(subject)s") ?? []).compactMap { member in
      propertyCount += 1
      let limit = MappingLimits.propertyMappings
      if propertyCount == limit + 1 {
        report.error(
          location(member.offset),
          subject,
          "there are more than \(limit) property mappings"
        )
      }
      return propertyCount > limit ? nil : property(member, "\(subject) \(member.name)", fields)
    }
  }

  /// A property, as an expression or as an object with `value` and more.
  private func property(
    _ member: JSONMember,
    _ subject: String,
    _ fields: [JSONField<PropertyMappingDraft>]
  ) -> PropertyMappingDraft {
    var draft = PropertyMappingDraft(name: member.name, location: location(member.offset))
    guard case .object = member.value.content else {
      draft.value = value(member.value, subject, &draft.texts)
      return draft
    }
    let entries = entries(member.value, subject, fields.map(\.name)) ?? [:]
    // The text of the value comes first.
    if let found = entries["value"] { draft.value = value(found, subject, &draft.texts) }
    for field in fields { field.read(entries, self, "\(subject), ", into: &draft) }
    if draft.value == .nothing, draft.choice != nil {
      let first = ["lookup", "otherwise", "default"].lazy.compactMap { entries[$0] }.first
      let reason = "its value is null, so that it keeps the model's default value"
      error(first ?? member.value, subject, reason)
    }
    return draft
  }

  private func value(
    _ value: JSONValue,
    _ subject: String,
    _ texts: inout [LocatedName]
  ) -> PropertyMappingDraft.Value {
    switch value.content {
    case .null: return .nothing
    case .boolean, .number:
      return plainValue(value, subject).map { .expression(.constant($0)) } ?? .faulty
    case .string(Self.unknownMark):
      error(
        value,
        subject,
        "it still has the question mark of the starter; write an expression, or null for the "
          + "model's default value"
      )
    case .string:
      let found = parsed(value, subject, ValueExpression.init(format:))
      if let text = found?.text { texts.append(text) }
      if let expression = found?.value { return .expression(expression) }
    case .array, .object: error(value, subject, "it is \(value.kind), not an expression")
    }
    return .faulty
  }

  /// An expression in place of a value; `nil` after an error.
  private func expression(
    _ value: JSONValue,
    _ subject: String,
    _ texts: inout [LocatedName]
  ) -> ValueExpression? {
    switch self.value(value, subject, &texts) {
    case .expression(let expression): return expression
    case .nothing:
      error(value, subject, "it is null; leave it out, or write \"NIL\"")
      return nil
    case .faulty, .standard, .lookup: return nil
    }
  }

  private func lookup(_ value: JSONValue, _ subject: String) -> [ValueChoice.Entry] {
    guard let members = members(value, subject) else { return [] }
    guard members.count <= MappingLimits.lookupEntries else {
      error(value, subject, "there are more than \(MappingLimits.lookupEntries) values")
      return []
    }
    return members.compactMap { member in
      plainValue(member.value, "\(subject) \(member.name)")
        .map { ValueChoice.Entry(old: member.name, new: $0) }
    }
  }
}

extension PropertyMappingDraft {
  /// The choice, which is added where there is none.
  fileprivate var ownChoice: ValueChoice {
    get { choice ?? ValueChoice() }
    set { choice = newValue }
  }
}
