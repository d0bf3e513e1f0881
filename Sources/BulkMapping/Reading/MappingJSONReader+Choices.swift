internal import BulkCoding
internal import BulkModel

extension MappingJSONReader {
  /// Reads the table and the other values of a property.
  mutating func readChoice(
    _ entries: [String: JSONMember],
    into draft: inout PropertyMappingDraft,
    _ subject: String
  ) {
    let (table, otherwise) = (entries["lookup"]?.value, entries["otherwise"]?.value)
    let initial = entries["default"]?.value
    guard let first = table ?? otherwise ?? initial else { return }
    if draft.value == .nothing {
      fault(first, subject, "its value is null, so that it keeps the model's default value")
    }
    if let otherwise, table == nil {
      fault(
        otherwise,
        "\(subject), otherwise",
        "there is no lookup in which a value could be missing"
      )
    }
    draft.choice = ValueChoice(
      entries: table.map { lookup($0, "\(subject), lookup") },
      otherwise: otherwise.flatMap { expression($0, in: &draft, "\(subject), otherwise") },
      initial: initial.flatMap { expression($0, in: &draft, "\(subject), default") }
    )
  }

  /// An expression in place of a value; `nil` after an error.
  private mutating func expression(
    _ value: JSONValue,
    in property: inout PropertyMappingDraft,
    _ subject: String
  ) -> ValueExpression? {
    var draft = PropertyMappingDraft(name: property.name, place: property.place)
    read(value, into: &draft, subject)
    property.texts += draft.texts
    switch draft.value {
    case .expression(let expression): return expression
    case .nothing:
      fault(value, subject, "it is null; leave it out, or write \"NIL\"")
      return nil
    case .faulty, .standard, .lookup: return nil
    }
  }

  private mutating func lookup(_ value: JSONValue, _ subject: String) -> [ValueChoice.Entry] {
    guard let members = members(value, subject) else { return [] }
    guard members.count <= MappingLimits.lookupEntries else {
      fault(value, subject, "there are more than \(MappingLimits.lookupEntries) values")
      return []
    }
    return members.compactMap { member in
      plainValue(member.value, "\(subject) \(member.name)")
        .map { ValueChoice.Entry(old: member.name, new: $0) }
    }
  }

  /// A text, a number, true, false or null, as it is written; `nil` after an error.
  mutating func plainValue(_ value: JSONValue, _ subject: String) -> AttributeValue? {
    switch value.content {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .string(let text): return .string(text)
    case .number(let digits):
      if let number = AttributeValue(jsonNumber: digits) { return number }
      fault(value, subject, "\(digits) does not fit into 64 bits")
      return nil
    case .array, .object:
      fault(value, subject, "it is \(value.kind), not a text, a number, true, false or null")
      return nil
    }
  }

  /// The attributes in which objects that are made once agree; empty after an error.
  mutating func unique(_ value: JSONValue, _ subject: String) -> [PlacedName] {
    let subject = "\(subject), unique"
    guard let elements = elements(value, subject, "of attributes' names") else { return [] }
    if elements.isEmpty { fault(value, subject, "it names no attribute") }
    return elements.compactMap { placed($0, subject) }
  }

  /// The object that is kept of several.
  mutating func kept(_ value: JSONValue, _ subject: String) -> PlacedName? {
    let names = ObjectUniqueness.Kept.allCases.map(\.rawValue)
    guard let text = value.string, names.contains(text) else {
      let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
      fault(value, "\(subject), keep", "only \(list) are known")
      return nil
    }
    return PlacedName(text: text, place: .byte(value.offset))
  }
}
