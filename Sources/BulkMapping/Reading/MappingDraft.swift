internal import BulkModel

struct LocatedName: Sendable {
  let text: String
  let location: MappingLocation
}

/// A predicate or an expression in a mapping file.
struct Parsed<Value: Sendable>: Sendable {
  /// Its text and position, for errors in it.
  let text: LocatedName
  /// `nil` for a predicate that is always true, and after an error.
  let value: Value?
}

/// An entity mapping in a file, before it is compared with the models.
struct EntityMappingDraft: Sendable {
  let location: MappingLocation
  var name: LocatedName?
  var kind: EntityMapping.Kind?
  var source: LocatedName?
  var destination: LocatedName?
  var filter: Parsed<ValuePredicate>?
  var policy: LocatedName?
  /// The collection whose elements become objects.
  var elements: Parsed<ValueExpression>?
  /// The attributes in which objects that are made once agree; `nil` where each object is made.
  var unique: [LocatedName]?
  var kept: LocatedName?
  var userInfo: [String: AttributeValue] = [:]
  var attributes: [PropertyMappingDraft] = []
  var relationships: [PropertyMappingDraft] = []
  var sourceHash: VersionHash?
  var destinationHash: VersionHash?

  /// The explicit name, or the one that Xcode would give.
  var effectiveName: String {
    name?.text ?? EntityMapping.usualName(source?.text, destination?.text)
  }

  var subject: String {
    effectiveName.isEmpty ? "an entity mapping" : "entity mapping \(effectiveName)"
  }
}

/// A property mapping in a file, before it is compared with the models.
struct PropertyMappingDraft: Sendable {
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
  let location: MappingLocation
  var value = Value.standard
  /// The texts of the expressions and their positions, for errors in them; the value's first.
  var texts: [LocatedName] = []
  var userInfo: [String: AttributeValue] = [:]
  /// The replacement of the value, if the file has more than an expression.
  var choice: ValueChoice?
  /// Whether the first of several objects counts.
  var takesFirst = false

  /// The position of a word in the texts, or of the first text, or of the property.
  func location(of word: String) -> MappingLocation {
    for text in texts { if let location = text.location(ofPart: word) { return location } }
    return texts.first?.location.character(0) ?? location
  }
}

extension LocatedName {
  /// The position of a word in the text, or of the text if the word is not found.
  func location(of word: String) -> MappingLocation {
    location(ofPart: word) ?? location.character(0)
  }

  /// The position of a word in the text.
  fileprivate func location(ofPart word: String) -> MappingLocation? {
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
      if isWhole { return location.character(start) }
    }
    return nil
  }
}

extension EntityMappingDraft {
  /// The position of a word in the text of the filter or of a value; without a text, the position of the
  /// property or of the entity mapping.
  func location(of word: String, in subject: ValueCheck.Subject) -> MappingLocation {
    switch subject {
    case .filter: filter?.text.location(of: word) ?? location
    case .elements: elements?.text.location(of: word) ?? location
    case .attribute(let name): attributes.first { $0.name == name }?.location(of: word) ?? location
    case .relationship(let name):
      relationships.first { $0.name == name }?.location(of: word) ?? location
    }
  }

  /// The position of the text that gives a property its value, or of the entity mapping.
  func location(ofValue property: String) -> MappingLocation {
    let text = property == "filter" ? filter?.text : property == "forEach" ? elements?.text : nil
    if let text { return text.location.character(0) }
    let draft = (attributes + relationships).first { $0.name == property }
    return draft?.texts.first?.location.character(0) ?? draft?.location ?? location
  }
}
