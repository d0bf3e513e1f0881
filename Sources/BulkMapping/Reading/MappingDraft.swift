internal import BulkModel

/// Where something stands in a mapping file.
enum MappingPlace: Hashable, Sendable {
  /// Before a byte of a JSON document.
  case byte(Int)
  /// Before a character of a text in a JSON document: where the text begins, and the Unicode scalars
  /// of it that stand before.
  case text(Int, scalar: Int)
  /// In a line.
  case line(Int)
  /// In a file without lines.
  case none

  /// The place of a character of the text that stands here.
  func character(_ scalar: Int) -> MappingPlace {
    if case .byte(let offset) = self { return .text(offset, scalar: scalar) }
    return self
  }
}

/// A fault whose place is not yet counted in lines.
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

/// A name as a mapping file has it.
struct PlacedName: Hashable, Sendable {
  let text: String
  let place: MappingPlace
}

/// An entity mapping as a file has it, before it is compared with the models.
struct EntityMappingDraft: Hashable, Sendable {
  let place: MappingPlace
  var name: PlacedName?
  var kind: EntityMapping.Kind?
  var source: PlacedName?
  var destination: PlacedName?
  var filter: ValuePredicate?
  /// The filter's text and its place, for faults in it.
  var filterText: PlacedName?
  var policy: PlacedName?
  var userInfo: [String: AttributeValue] = [:]
  var attributes: [PropertyMappingDraft] = []
  var relationships: [PropertyMappingDraft] = []
  var sourceHash: VersionHash?
  var destinationHash: VersionHash?

  init(_ place: MappingPlace) { self.place = place }

  /// The name that is written, or the one that Xcode gives.
  var effectiveName: String {
    if let name { return name.text }
    switch (source?.text, destination?.text) {
    case (let source?, let destination?): return "\(source)To\(destination)"
    case (let only?, nil), (nil, let only?): return only
    case (nil, nil): return ""
    }
  }

  /// What faults call it.
  var subject: String {
    effectiveName.isEmpty ? "an entity mapping" : "entity mapping \(effectiveName)"
  }

  /// Whether it maps nothing, as one of type Undefined that Xcode's editor left behind.
  var isLeftOver: Bool { source == nil && destination == nil }

  /// That it is ignored.
  var leftOverWarning: String {
    "\(subject): it names neither a source nor a destination, so it is ignored"
  }
}

/// A property mapping as a file has it, before it is compared with the models.
struct PropertyMappingDraft: Hashable, Sendable {
  /// What a file says of a value.
  enum Value: Hashable, Sendable {
    /// An expression.
    case expression(ValueExpression)
    /// That there is no expression.
    case nothing
    /// Nothing, so that the format's default counts.
    case standard
    /// The two fields of Xcode's editor from which it makes an expression.
    case lookup(mapping: String?, instances: ValueExpression?)
    /// Something that was reported as a fault.
    case faulty
  }

  let name: String
  let place: MappingPlace
  var value = Value.standard
  /// The expression's text and its place, for faults in it.
  var text: PlacedName?
  var userInfo: [String: AttributeValue] = [:]

  init(_ name: String, _ place: MappingPlace) {
    self.name = name
    self.place = place
  }
}

extension PlacedName {
  /// The place of a word in the text, or of the text where the word is not found.
  func place(of word: String) -> MappingPlace {
    let scalars = Array(text.unicodeScalars)
    let wanted = Array(word.unicodeScalars)
    guard !wanted.isEmpty, wanted.count <= scalars.count else { return place.character(0) }
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
    return place.character(0)
  }
}
