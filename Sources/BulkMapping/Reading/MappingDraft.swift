internal import BulkModel

/// A position in a mapping file.
enum MappingPlace: Hashable, Sendable {
  /// The offset of a byte in a JSON document.
  case byte(Int)
  /// A character of a text in a JSON document: the offset of the text, and the number of Unicode scalars
  /// before the character.
  case text(Int, scalar: Int)
  case line(Int)
  /// A position in a file without lines.
  case none

  /// The position of a character of the text at this position.
  func character(_ scalar: Int) -> MappingPlace {
    if case .byte(let offset) = self { return .text(offset, scalar: scalar) }
    return self
  }
}

/// An error whose position has not been converted to a line.
struct DraftFault: Hashable, Sendable {
  let place: MappingPlace
  let subject: String
  let reason: String

  init(_ place: MappingPlace, _ subject: String, _ reason: String) {
    self.place = place
    self.subject = subject
    self.reason = reason
  }
}

/// A name in a mapping file.
struct PlacedName: Hashable, Sendable {
  let text: String
  let place: MappingPlace
}

/// An entity mapping in a file, before it is compared with the models.
struct EntityMappingDraft: Hashable, Sendable {
  let place: MappingPlace
  var name: PlacedName?
  var kind: EntityMapping.Kind?
  var source: PlacedName?
  var destination: PlacedName?
  var filter: ValuePredicate?
  /// The filter's text and its position, for errors in it.
  var filterText: PlacedName?
  var policy: PlacedName?
  /// The collection whose elements become objects.
  var elements: ValueExpression?
  /// The collection's text and its position, for errors in it.
  var elementsText: PlacedName?
  /// The attributes in which objects that are made once agree; `nil` where each object is made.
  var unique: [PlacedName]?
  /// The object that is kept of several.
  var kept: PlacedName?
  var userInfo: [String: AttributeValue] = [:]
  var attributes: [PropertyMappingDraft] = []
  var relationships: [PropertyMappingDraft] = []
  var sourceHash: VersionHash?
  var destinationHash: VersionHash?

  /// The explicit name, or the one that Xcode would give.
  var effectiveName: String {
    if let name { return name.text }
    switch (source?.text, destination?.text) {
    case (let source?, let destination?): return "\(source)To\(destination)"
    case (let only?, nil), (nil, let only?): return only
    case (nil, nil): return ""
    }
  }

  var subject: String {
    effectiveName.isEmpty ? "an entity mapping" : "entity mapping \(effectiveName)"
  }

  /// Whether it maps nothing, like leftovers of type Undefined from Xcode's editor.
  var isLeftOver: Bool { source == nil && destination == nil }

  /// The warning that it is ignored.
  var leftOverWarning: String {
    "\(subject): it names neither a source nor a destination, so it is ignored"
  }
}

/// A property mapping in a file, before it is compared with the models.
struct PropertyMappingDraft: Hashable, Sendable {
  /// A property's value in a file.
  enum Value: Hashable, Sendable {
    case expression(ValueExpression)
    case nothing
    /// No value, so that the format's default applies.
    case standard
    /// The two fields of Xcode's editor from which it generates an expression.
    case lookup(mapping: String?, instances: ValueExpression?)
    /// A value that was reported as an error.
    case faulty
  }

  let name: String
  let place: MappingPlace
  var value = Value.standard
  /// The texts of the expressions and their positions, for errors in them; the value's first.
  var texts: [PlacedName] = []
  var userInfo: [String: AttributeValue] = [:]
  /// The replacement of the value, if the file has more than an expression.
  var choice: ValueChoice?
  /// Whether the first of several objects counts.
  var takesFirst = false

  /// The position of a word in the texts, or of the first text, or of the property.
  func place(of word: String) -> MappingPlace {
    for text in texts { if let place = text.place(ofPart: word) { return place } }
    return texts.first?.place.character(0) ?? place
  }
}

extension PlacedName {
  /// The position of a word in the text, or of the text if the word is not found.
  func place(of word: String) -> MappingPlace { place(ofPart: word) ?? place.character(0) }

  /// The position of a word in the text.
  fileprivate func place(ofPart word: String) -> MappingPlace? {
    let scalars = Array(text.unicodeScalars)
    let wanted = Array(word.unicodeScalars)
    guard !wanted.isEmpty, wanted.count <= scalars.count else { return nil }
    let isPart = { (scalar: Unicode.Scalar) in
      scalar == "_" || scalar.properties.isXIDContinue
    }
    for start in 0...(scalars.count - wanted.count) {
      let end = start + wanted.count
      guard scalars[start..<end].elementsEqual(wanted) else { continue }
      let isWhole =
        (start == 0 || !isPart(scalars[start - 1]) || !isPart(wanted[0]))
        && (end == scalars.count || !isPart(scalars[end]) || !isPart(wanted[wanted.count - 1]))
      if isWhole { return place.character(start) }
    }
    return nil
  }
}

/// An entity mapping of a file, with the entities that it names.
struct MappingItem {
  var draft: EntityMappingDraft
  var mapping: EntityMapping
  let source: EntityDescription?
  let destination: EntityDescription?
  /// Whether all entities that it names exist.
  let isSound: Bool
  /// The index of its file among those that together are the mapping.
  let part: Int
}
