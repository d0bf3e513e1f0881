internal import BulkCoding
internal import BulkModel

/// Reads the JSON of a mapping file, and records every violation of the format.
struct MappingJSONReader {
  private static let keys = [
    "bulkmigrate", "source", "destination", "infer", "entityMappings", "mapping", "mappings",
    "chain", "passes", "expect", "$schema",
  ]
  private static let placeKeys = ["store", "model"]
  static let entityMappingKeys = [
    "name", "type", "source", "destination", "filter", "policy", "userInfo", "attributes",
    "relationships", "unique", "keep", "forEach",
  ]

  private let document: JSONDocument
  private(set) var faults: [DraftFault] = []
  /// Whether the errors make the whole file unusable.
  private(set) var isBroken = false
  private var propertyCount = 0

  init(_ document: JSONDocument) {
    self.document = document
    faults = document.duplicates.map {
      DraftFault(.byte($0.offset), "", "the entry \($0.name) appears twice")
    }
  }

  mutating func note(_ fault: DraftFault) { faults.append(fault) }

  mutating func fault(_ value: JSONValue, _ subject: String, _ reason: String) {
    note(DraftFault(.byte(value.offset), subject, reason))
  }

  mutating func mapping() -> MappingJSON {
    var result = MappingJSON()
    guard let entries = object(document.root, "", keys: Self.keys) else {
      isBroken = true
      return result
    }
    let format = entries["bulkmigrate"]?.value
    if format?.string != MappingFile.format {
      let reason = "its entry bulkmigrate should be \"\(MappingFile.format)\""
      fault(format ?? document.root, "", reason)
    }
    result.source = place(entries["source"])
    result.destination = place(entries["destination"])
    if let value = entries["infer"]?.value {
      result.infer = value.string.flatMap(MappingFile.Inference.init)
      if result.infer == nil { fault(value, "infer", "only unmentioned and none are known") }
    }
    result.xcodePath = entries["mapping"].flatMap { path($0.value, "mapping") }
    if let parts = entries["mappings"] { result.parts = self.parts(parts.value, entries) }
    if let chain = entries["chain"] { result.chain = self.chain(chain.value, entries) }
    // Errors up to here leave the paths undefined; later ones are reported together with those of the models.
    isBroken = !faults.isEmpty
    if let passes = entries["passes"] { result.passes = self.passes(passes.value) }
    if let expected = entries["expect"] { result.expectations = expectations(expected.value) }
    if let mappings = entries["entityMappings"] {
      if entries["mapping"] != nil {
        fault(mappings.value, "", "entityMappings and mapping exclude each other")
      }
      result.drafts = entityMappings(mappings.value)
    }
    return result
  }

  /// The paths of a chain, without duplicates.
  private mutating func chain(_ value: JSONValue, _ entries: [String: JSONMember]) -> [String] {
    for other in ["entityMappings", "mapping", "mappings", "infer", "passes", "expect"]
    where entries[other] != nil {
      fault(value, "chain", "chain and \(other) exclude each other")
    }
    let places = elements(value, "chain", "of paths", limit: MappingLimits.chainPlaces)
    return paths(places ?? [], "chain").map(\.text)
  }

  private mutating func place(_ member: JSONMember?) -> MappingFile.Place {
    var result = MappingFile.Place()
    guard let member, let entries = object(member.value, member.name, keys: Self.placeKeys) else {
      return result
    }
    result.store = entries["store"].flatMap { path($0.value, "\(member.name).store") }
    result.model = entries["model"].flatMap { path($0.value, "\(member.name).model") }
    return result
  }

  mutating func path(_ value: JSONValue, _ subject: String) -> String? {
    guard let text = text(value, subject) else { return nil }
    guard !text.utf8.contains(0) else {
      fault(value, subject, "it holds a NUL, as no path may")
      return nil
    }
    return text
  }

  /// The paths among the elements of an array; one that appears twice is an error.
  mutating func paths(_ elements: [JSONValue], _ subject: String) -> [PlacedName] {
    var seen: Set<String> = []
    return elements.compactMap { element in
      guard let path = path(element, subject) else { return nil }
      if !seen.insert(path).inserted { fault(element, subject, "\(path) appears twice") }
      return PlacedName(text: path, place: .byte(element.offset))
    }
  }

  private mutating func entityMappings(_ value: JSONValue) -> [EntityMappingDraft] {
    let limit = MappingLimits.entityMappings
    return (elements(value, "entityMappings", "of objects", limit: limit) ?? [])
      .compactMap { entityMapping($0) }
  }

  /// The elements of an array; `nil` after an error.
  mutating func elements(
    _ value: JSONValue,
    _ subject: String,
    _ content: String,
    limit: Int = .max
  ) -> [JSONValue]? {
    guard case .array(let elements) = value.content else {
      fault(value, subject, "it is \(value.kind), not an array \(content)")
      return nil
    }
    guard elements.count <= limit else {
      fault(value, subject, "there are more than \(limit)")
      return nil
    }
    return elements
  }

  /// The elements of an array that has at least one; `nil` after an error.
  mutating func someElements(
    _ value: JSONValue,
    _ subject: String,
    _ content: String,
    limit: Int = .max
  ) -> [JSONValue]? {
    guard let elements = elements(value, subject, content, limit: limit) else { return nil }
    if elements.isEmpty { fault(value, subject, "it is empty, not an array \(content)") }
    return elements.isEmpty ? nil : elements
  }

  /// The entries of an object, by name; unknown entries are errors.
  mutating func object(
    _ value: JSONValue,
    _ subject: String,
    keys: [String]
  ) -> [String: JSONMember]? {
    guard let members = members(value, subject) else { return nil }
    var result: [String: JSONMember] = [:]
    for member in members {
      guard keys.contains(member.name) else {
        let nearest = NearestName.of(member.name, among: keys)
        let hint =
          nearest.map { "did you mean \($0)?" } ?? "known are \(keys.joined(separator: ", "))"
        faults.append(
          DraftFault(.byte(member.offset), subject, "the entry \(member.name) is unknown; \(hint)")
        )
        continue
      }
      result[member.name] = member
    }
    return result
  }

  /// The entries of an object, in order.
  mutating func members(_ value: JSONValue, _ subject: String) -> [JSONMember]? {
    if case .object(let members) = value.content { return members }
    fault(value, subject, "it is \(value.kind), not an object")
    return nil
  }

  /// A text, which must not be empty.
  mutating func text(_ value: JSONValue, _ subject: String) -> String? {
    guard let text = value.string, !text.isEmpty else {
      let found = value.string == nil ? value.kind : "empty"
      fault(value, subject, "it is \(found), not a text")
      return nil
    }
    return text
  }

  /// A text with its position.
  mutating func placed(_ value: JSONValue, _ subject: String) -> PlacedName? {
    text(value, subject).map { PlacedName(text: $0, place: .byte(value.offset)) }
  }

  /// A text and what it parses to; the second is `nil` after an error in it.
  mutating func parsed<Parsed>(
    _ value: JSONValue,
    _ subject: String,
    _ parse: (String) throws(ExpressionError) -> Parsed?
  ) -> (text: PlacedName, parsed: Parsed?)? {
    guard let name = placed(value, subject) else { return nil }
    do throws(ExpressionError) {
      return (name, try parse(name.text))
    } catch {
      fault(error, in: value, subject)
      return (name, nil)
    }
  }

  mutating func fault(_ error: ExpressionError, in value: JSONValue, _ subject: String) {
    let place = MappingPlace.byte(value.offset).character(error.offset)
    note(DraftFault(place, subject, "\(error.reason)"))
  }

  /// Counts a property mapping, and reports once if there are too many.
  mutating func countProperty(_ member: JSONMember, _ subject: String) -> Bool {
    propertyCount += 1
    if propertyCount == MappingLimits.propertyMappings + 1 {
      let reason = "there are more than \(MappingLimits.propertyMappings) property mappings"
      faults.append(DraftFault(.byte(member.offset), subject, reason))
    }
    return propertyCount <= MappingLimits.propertyMappings
  }
}

/// The limits on the content of a mapping file.
///
/// The largest known mapping model has some 60 entity mappings with 1500 property mappings.
enum MappingLimits {
  static let entityMappings = 10_000
  /// The limit of property mappings in all entity mappings.
  static let propertyMappings = 100_000
  /// The limit of values in the table of a property.
  static let lookupEntries = 1000
  static let expectations = 10_000
  /// The limit of files that together are a mapping.
  static let parts = 1000
  /// The limit of versions and mappings in a chain.
  static let chainPlaces = 1000
}
