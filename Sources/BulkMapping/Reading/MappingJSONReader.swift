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

  /// The whole file.
  mutating func mapping() -> MappingJSON {
    var result = MappingJSON()
    guard let entries = object(document.root, "", keys: Self.keys) else {
      isBroken = true
      return result
    }
    if let format = entries["bulkmigrate"]?.value {
      if format.string != MappingFile.format {
        fault(format, "", "its entry bulkmigrate should be \"\(MappingFile.format)\"")
      }
    } else {
      fault(document.root, "", "its entry bulkmigrate should be \"\(MappingFile.format)\"")
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
    guard case .array(let elements) = value.content else {
      fault(value, "chain", "it is \(value.kind), not an array of paths")
      return []
    }
    guard elements.count <= MappingLimits.chainPlaces else {
      fault(value, "chain", "there are more than \(MappingLimits.chainPlaces)")
      return []
    }
    var result: [String] = []
    var seen: Set<String> = []
    for element in elements {
      guard let path = path(element, "chain") else { continue }
      if !seen.insert(path).inserted { fault(element, "chain", "\(path) appears twice") }
      result.append(path)
    }
    return result
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

  private mutating func entityMappings(_ value: JSONValue) -> [EntityMappingDraft] {
    guard case .array(let elements) = value.content else {
      fault(value, "entityMappings", "it is \(value.kind), not an array of objects")
      return []
    }
    guard elements.count <= MappingLimits.entityMappings else {
      fault(value, "entityMappings", "there are more than \(MappingLimits.entityMappings)")
      return []
    }
    return elements.compactMap { entityMapping($0) }
  }

  // MARK: Kinds of values

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
  /// The limit of entity mappings.
  static let entityMappings = 10_000
  /// The limit of property mappings in all entity mappings.
  static let propertyMappings = 100_000
  /// The limit of values in the table of a property.
  static let lookupEntries = 1000
  /// The limit of expectations.
  static let expectations = 10_000
  /// The limit of files that together are a mapping.
  static let parts = 1000
  /// The limit of versions and mappings in a chain.
  static let chainPlaces = 1000
}
