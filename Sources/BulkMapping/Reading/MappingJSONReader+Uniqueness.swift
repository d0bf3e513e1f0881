internal import BulkCoding

extension MappingJSONReader {
  /// The attributes in which objects that are made once agree; empty after an error.
  mutating func unique(_ value: JSONValue, _ subject: String) -> [PlacedName] {
    let subject = "\(subject), unique"
    guard case .array(let elements) = value.content else {
      fault(value, subject, "it is \(value.kind), not an array of attributes' names")
      return []
    }
    guard !elements.isEmpty else {
      fault(value, subject, "it names no attribute")
      return []
    }
    return elements.compactMap { element in
      text(element, subject).map { PlacedName(text: $0, place: .byte(element.offset)) }
    }
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
