internal import BulkCoding
internal import BulkModel

extension MappingJSONReader {
  /// The placeholder in a starter mapping where inference found nothing.
  static let unknownMark = "?"

  /// One entity mapping.
  mutating func entityMapping(_ value: JSONValue) -> EntityMappingDraft? {
    guard let entries = object(value, "an entity mapping", keys: Self.entityMappingKeys) else {
      return nil
    }
    var draft = EntityMappingDraft(.byte(value.offset))
    draft.name = entries["name"].flatMap { placedName($0.value, "name") }
    draft.source = entries["source"].flatMap { placedName($0.value, "source") }
    draft.destination = entries["destination"].flatMap { placedName($0.value, "destination") }
    let subject = draft.subject
    if let kind = entries["type"]?.value { draft.kind = self.kind(kind, subject) }
    if let filter = entries["filter"]?.value { read(filter, into: &draft, subject) }
    draft.policy = entries["policy"].flatMap { entry in
      text(entry.value, "\(subject), policy")
        .map { PlacedName(text: $0, place: .byte(entry.value.offset)) }
    }
    if let elements = entries["forEach"]?.value { readElements(elements, into: &draft, subject) }
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
      keys: Self.propertyKeys
    )
    return draft
  }

  private mutating func placedName(_ value: JSONValue, _ key: String) -> PlacedName? {
    guard let text = text(value, "an entity mapping, \(key)") else { return nil }
    return PlacedName(text: text, place: .byte(value.offset))
  }

  private mutating func kind(_ value: JSONValue, _ subject: String) -> EntityMapping.Kind? {
    if let kind = value.string.flatMap(EntityMapping.Kind.init(name:)) { return kind }
    let names = EntityMapping.Kind.allCases.map(\.name)
    let nearest = value.string.flatMap { NearestName.of($0, among: names) }
    let hint = nearest.map { "did you mean \($0)?" } ?? "known are \(names.joined(separator: ", "))"
    fault(value, "\(subject), type", "there is no such type; \(hint)")
    return nil
  }

  private mutating func read(
    _ value: JSONValue,
    into draft: inout EntityMappingDraft,
    _ subject: String
  ) {
    guard let text = text(value, "\(subject), filter") else { return }
    draft.filterText = PlacedName(text: text, place: .byte(value.offset))
    do throws(ExpressionError) {
      draft.filter = try ValuePredicate(format: text).asFilter
    } catch {
      fault(error, in: value, "\(subject), filter")
    }
  }

  private mutating func readElements(
    _ value: JSONValue,
    into draft: inout EntityMappingDraft,
    _ subject: String
  ) {
    guard let text = text(value, "\(subject), forEach") else { return }
    draft.elementsText = PlacedName(text: text, place: .byte(value.offset))
    do throws(ExpressionError) {
      draft.elements = try ValueExpression(format: text)
    } catch {
      fault(error, in: value, "\(subject), forEach")
    }
  }

  private mutating func fault(_ error: ExpressionError, in value: JSONValue, _ subject: String) {
    let place = MappingPlace.byte(value.offset).character(error.offset)
    note(DraftFault(place, subject, "\(error.reason)"))
  }

  private mutating func properties(
    _ value: JSONValue?,
    _ subject: String,
    keys: [String]
  ) -> [PropertyMappingDraft] {
    guard let value, let members = members(value, "\(subject)s") else { return [] }
    var drafts: [PropertyMappingDraft] = []
    for member in members where countProperty(member, subject) {
      drafts.append(property(member, "\(subject) \(member.name)", keys: keys))
    }
    return drafts
  }

  private static let propertyKeys = ["value", "userInfo"]
  private static let attributeKeys = propertyKeys + ["lookup", "otherwise", "default"]

  /// A property, as an expression or as an object with `value` and more.
  private mutating func property(
    _ member: JSONMember,
    _ subject: String,
    keys: [String]
  ) -> PropertyMappingDraft {
    var draft = PropertyMappingDraft(member.name, .byte(member.offset))
    guard case .object = member.value.content else {
      read(member.value, into: &draft, subject)
      return draft
    }
    let entries = object(member.value, subject, keys: keys)
    if let value = entries?["value"]?.value { read(value, into: &draft, subject) }
    if let info = entries?["userInfo"]?.value {
      draft.userInfo = userInfo(info, "\(subject), userInfo")
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
    case .boolean(let flag): draft.value = .expression(.constant(.boolean(flag)))
    case .number(let digits):
      guard let number = AttributeValue(jsonNumber: digits) else {
        return fault(value, subject, "\(digits) does not fit into 64 bits")
      }
      draft.value = .expression(.constant(number))
    case .string(Self.unknownMark):
      fault(
        value,
        subject,
        "it still has the question mark of the starter; write an expression, or null for the "
          + "model's default value"
      )
    case .string(let text):
      draft.texts.append(PlacedName(text: text, place: .byte(value.offset)))
      do throws(ExpressionError) {
        draft.value = .expression(try ValueExpression(format: text))
      } catch {
        fault(error, in: value, subject)
      }
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
        fault(member.value, place, "it is no value: \(AttributeValue.jsonForms)")
        continue
      }
      result[member.name] = entry
    }
    return result
  }
}
