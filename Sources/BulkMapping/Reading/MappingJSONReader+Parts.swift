internal import BulkCoding
internal import BulkModel

extension MappingJSONReader {
  /// The paths of the mapping files that together are the mapping, without duplicates.
  mutating func parts(_ value: JSONValue, _ entries: [String: JSONMember]) -> [PlacedName] {
    for other in ["entityMappings", "mapping"] where entries[other] != nil {
      fault(value, "mappings", "mappings and \(other) exclude each other")
    }
    let limit = MappingLimits.parts
    return paths(someElements(value, "mappings", "of paths", limit: limit) ?? [], "mappings")
  }

  /// The source entities of each pass.
  mutating func passes(_ value: JSONValue) -> [[PlacedName]] {
    let limit = MappingLimits.entityMappings
    return (elements(value, "passes", "of passes", limit: limit) ?? []).compactMap { pass in
      someElements(pass, "passes", "of source entities")?.compactMap { placed($0, "passes") }
    }
  }

  private static let expectationKeys = ["name", "entity", "key", "where", "count", "holds"]
  private static let boundKeys = ["least", "most", "source", "where"]

  /// The expectations of a destination.
  mutating func expectations(_ value: JSONValue) -> [ExpectationDraft] {
    let limit = MappingLimits.expectations
    return (elements(value, "expect", "of objects", limit: limit) ?? [])
      .compactMap { expectation($0) }
  }

  private mutating func expectation(_ value: JSONValue) -> ExpectationDraft? {
    guard let entries = object(value, "expect", keys: Self.expectationKeys) else { return nil }
    var draft = ExpectationDraft(place: .byte(value.offset))
    draft.name = entries["name"].flatMap { text($0.value, "expect, name") }
    draft.entity = entries["entity"].flatMap { placed($0.value, "expect, entity") }
    draft.key = entries["key"].flatMap { number($0.value, "expect, key", from: 1) }
    draft.filter = entries["where"].flatMap { predicate($0.value, "expect, where") }
    draft.condition = entries["holds"].flatMap { predicate($0.value, "expect, holds") }
    draft.count = entries["count"].flatMap { count($0.value) }
    if entries["entity"] == nil { fault(value, "expect", "it names no entity") }
    if ["key", "count", "holds"].allSatisfy({ entries[$0] == nil }) {
      fault(value, draft.subject, "it says nothing; add key, count or holds")
    }
    return draft
  }

  private mutating func predicate(_ value: JSONValue, _ subject: String) -> PlacedPredicate? {
    guard let text = placed(value, subject) else { return nil }
    do throws(ExpressionError) {
      return PlacedPredicate(predicate: try Self.filter(text.text), text: text)
    } catch {
      fault(error, in: value, subject)
      return nil
    }
  }

  private mutating func number(
    _ value: JSONValue,
    _ subject: String,
    from least: Int64
  ) -> Int64? {
    if case .number(let digits) = value.content, let number = Int64(digits), number >= least {
      return number
    }
    fault(value, subject, "it is not a whole number from \(least) on")
    return nil
  }

  /// A number, bounds, or the objects of the source that are counted.
  private mutating func count(_ value: JSONValue) -> ExpectationDraft.Count? {
    let subject = "expect, count"
    guard case .object = value.content else {
      return number(value, subject, from: 0).map { .within($0...$0) }
    }
    guard let entries = object(value, subject, keys: Self.boundKeys) else { return nil }
    if let source = entries["source"]?.value {
      for other in ["least", "most"] where entries[other] != nil {
        fault(value, subject, "source and \(other) exclude each other")
      }
      guard let entity = placed(source, "\(subject), source") else { return nil }
      let filter = entries["where"].flatMap { predicate($0.value, "\(subject), where") }
      return .objects(of: entity, where: filter)
    }
    if let filter = entries["where"]?.value {
      fault(filter, subject, "where belongs to source, which is not there")
    }
    let least = entries["least"].flatMap { number($0.value, "\(subject), least", from: 0) } ?? 0
    let most = entries["most"].flatMap { number($0.value, "\(subject), most", from: 0) } ?? .max
    guard !entries.isEmpty, least <= most else {
      fault(value, subject, entries.isEmpty ? "it says nothing" : "least is more than most")
      return nil
    }
    return .within(least...most)
  }
}
