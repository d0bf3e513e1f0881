internal import BulkCoding
internal import BulkModel

extension MappingJSONReader {
  /// The placeholder in a starter mapping where inference found nothing.
  static let unknownMark = "?"

  mutating func entityMapping(_ value: JSONValue) -> EntityMappingDraft? {
    guard let entries = object(value, "an entity mapping", keys: Self.entityMappingKeys) else {
      return nil
    }
    var draft = EntityMappingDraft(place: .byte(value.offset))
    let subject = "an entity mapping"
    draft.name = entries["name"].flatMap { placed($0.value, "\(subject), name") }
    draft.source = entries["source"].flatMap { placed($0.value, "\(subject), source") }
    draft.destination = entries["destination"].flatMap {
      placed($0.value, "\(subject), destination")
    }
    read(entries, into: &draft)
    return draft
  }

  /// Reads the entries that error messages place by the name of the entity mapping.
  private mutating func read(
    _ entries: [String: JSONMember],
    into draft: inout EntityMappingDraft
  ) {
    let subject = draft.subject
    if let kind = entries["type"]?.value { draft.kind = self.kind(kind, subject) }
    let filter = entries["filter"].flatMap {
      parsed($0.value, "\(subject), filter", Self.filter)
    }
    (draft.filterText, draft.filter) = (filter?.text, filter?.parsed)
    draft.policy = entries["policy"].flatMap { placed($0.value, "\(subject), policy") }
    let elements = entries["forEach"].flatMap {
      parsed($0.value, "\(subject), forEach", ValueExpression.init(format:))
    }
    (draft.elementsText, draft.elements) = (elements?.text, elements?.parsed)
    draft.unique = entries["unique"].map { unique($0.value, subject) }
    draft.kept = entries["keep"].flatMap { kept($0.value, subject) }
    if let info = entries["userInfo"]?.value {
      draft.userInfo = userInfo(info, "\(subject), userInfo")
    }
    draft.attributes = properties(
      entries["attributes"]?.value,
      "\(subject), attribute",
      keys: Self.attributeKeys
    )
    draft.relationships = properties(
      entries["relationships"]?.value,
      "\(subject), relationship",
      keys: Self.propertyKeys + ["several"]
    )
  }

  /// Parses a filter; `nil` for one that is always true.
  static func filter(_ text: String) throws(ExpressionError) -> ValuePredicate? {
    try ValuePredicate(format: text).asFilter
  }

  private mutating func kind(_ value: JSONValue, _ subject: String) -> EntityMapping.Kind? {
    if let kind = value.string.flatMap(EntityMapping.Kind.init(name:)) { return kind }
    let names = EntityMapping.Kind.allCases.map(\.name)
    let nearest = value.string.flatMap { NearestName.of($0, among: names) }
    let hint = nearest.map { "did you mean \($0)?" } ?? "known are \(names.joined(separator: ", "))"
    fault(value, "\(subject), type", "there is no such type; \(hint)")
    return nil
  }

  private mutating func properties(
    _ value: JSONValue?,
    _ subject: String,
    keys: [String]
  ) -> [PropertyMappingDraft] {
    guard let value, let members = members(value, "\(subject)s") else { return [] }
    return members.compactMap { member in
      guard countProperty(member, subject) else { return nil }
      return property(member, "\(subject) \(member.name)", keys: keys)
    }
  }

  private static let propertyKeys = ["value", "userInfo"]
  private static let attributeKeys = propertyKeys + ["lookup", "otherwise", "default"]

  /// A property, as an expression or as an object with `value` and more.
  private mutating func property(
    _ member: JSONMember,
    _ subject: String,
    keys: [String]
  ) -> PropertyMappingDraft {
    var draft = PropertyMappingDraft(name: member.name, place: .byte(member.offset))
    guard case .object = member.value.content else {
      read(member.value, into: &draft, subject)
      return draft
    }
    let entries = object(member.value, subject, keys: keys)
    if let value = entries?["value"]?.value { read(value, into: &draft, subject) }
    if let info = entries?["userInfo"]?.value {
      draft.userInfo = userInfo(info, "\(subject), userInfo")
    }
    if let several = entries?["several"]?.value {
      draft.takesFirst = several.string == "first"
      if !draft.takesFirst { fault(several, "\(subject), several", "only first is known") }
    }
    if let entries { readChoice(entries, into: &draft, subject) }
    return draft
  }

  mutating func read(
    _ value: JSONValue,
    into draft: inout PropertyMappingDraft,
    _ subject: String
  ) {
    draft.value = .faulty
    switch value.content {
    case .null: draft.value = .nothing
    case .boolean, .number:
      if let constant = plainValue(value, subject) {
        draft.value = .expression(.constant(constant))
      }
    case .string(Self.unknownMark):
      fault(
        value,
        subject,
        "it still has the question mark of the starter; write an expression, or null for the "
          + "model's default value"
      )
    case .string:
      let found = parsed(value, subject, ValueExpression.init(format:))
      if let text = found?.text { draft.texts.append(text) }
      if let expression = found?.parsed { draft.value = .expression(expression) }
    case .array, .object: fault(value, subject, "it is \(value.kind), not an expression")
    }
  }

  private mutating func userInfo(
    _ value: JSONValue,
    _ subject: String
  ) -> [String: AttributeValue] {
    guard let members = members(value, subject) else { return [:] }
    var result: [String: AttributeValue] = [:]
    for member in members {
      guard let entry = AttributeValue(json: member.value) else {
        let place = "\(subject) \(member.name)"
        fault(member.value, place, "it is not a value: \(AttributeValue.jsonForms)")
        continue
      }
      result[member.name] = entry
    }
    return result
  }
}
