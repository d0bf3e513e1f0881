internal import BulkCoding

extension MappingJSONReader {
  /// The paths of the mapping files that together are the mapping, without duplicates.
  mutating func parts(_ value: JSONValue, _ entries: [String: JSONMember]) -> [PlacedName] {
    for other in ["entityMappings", "mapping"] where entries[other] != nil {
      fault(value, "mappings", "mappings and \(other) exclude each other")
    }
    guard case .array(let elements) = value.content, !elements.isEmpty else {
      let found = value.isArray ? "empty" : value.kind
      fault(value, "mappings", "it is \(found), not an array of paths")
      return []
    }
    guard elements.count <= MappingLimits.parts else {
      fault(value, "mappings", "there are more than \(MappingLimits.parts)")
      return []
    }
    var seen: Set<String> = []
    return elements.compactMap { element in
      guard let path = path(element, "mappings") else { return nil }
      if !seen.insert(path).inserted { fault(element, "mappings", "\(path) appears twice") }
      return PlacedName(text: path, place: .byte(element.offset))
    }
  }

  /// The source entities of each pass.
  mutating func passes(_ value: JSONValue) -> [[PlacedName]] {
    guard case .array(let elements) = value.content else {
      fault(value, "passes", "it is \(value.kind), not an array of passes")
      return []
    }
    guard elements.count <= MappingLimits.entityMappings else {
      fault(value, "passes", "there are more than \(MappingLimits.entityMappings)")
      return []
    }
    return elements.compactMap { pass($0) }
  }

  private mutating func pass(_ value: JSONValue) -> [PlacedName]? {
    guard case .array(let elements) = value.content, !elements.isEmpty else {
      let found = value.isArray ? "empty" : value.kind
      fault(value, "passes", "it is \(found), not an array of source entities")
      return nil
    }
    return elements.compactMap { element in
      text(element, "passes").map { PlacedName(text: $0, place: .byte(element.offset)) }
    }
  }
}

extension JSONValue {
  fileprivate var isArray: Bool { if case .array = content { true } else { false } }
}
