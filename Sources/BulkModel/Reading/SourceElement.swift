internal import BulkCoding
internal import BulkPlatform

/// An element of a model's XML, with its content.
struct SourceElement {
  /// The nesting limit of elements, far beyond that of any model.
  static let depthLimit = 32

  let name: String
  let line: Int
  let attributes: [String: String]
  private(set) var children: [SourceElement] = []

  /// The root element of a document.
  static func root(of bytes: [UInt8]) throws(CodingError) -> SourceElement {
    var scanner = try XMLScanner(bytes)
    var open: [SourceElement] = []
    var root: SourceElement?
    while let event = try scanner.next() {
      switch event {
      case .start(let name, let attributes):
        guard open.count < depthLimit else {
          throw .xml(line: scanner.line, reason: "holds more than \(depthLimit) levels")
        }
        open.append(SourceElement(name: name, line: scanner.line, attributes: attributes))
      case .end:
        guard let last = open.popLast() else { continue }
        guard let parent = open.indices.last else {
          root = last
          continue
        }
        open[parent].children.append(last)
      case .text: continue
      }
    }
    guard let root else { throw .xml(line: scanner.line, reason: "has no element") }
    return root
  }

  func children(_ name: String) -> [SourceElement] { children.filter { $0.name == name } }

  /// The value of an attribute; `nil` if it is absent or empty.
  func text(_ attribute: String) -> String? {
    attributes[attribute].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Decodes values that model sources write as text.
enum SourceValue {
  /// `YES` and `NO`, and their variants in handwritten files.
  static func boolean(_ text: String) -> Bool? {
    switch text {
    case "YES", "true", "1": true
    case "NO", "false", "0": false
    default: nil
    }
  }

  /// The value of a text for an attribute's type; `nil` if the text is invalid.
  ///
  /// An integer may have a fraction of zero, and a number may be written as a Boolean, because the editor
  /// keeps a text when the type of its attribute changes. `YES` and `NO` as numbers are 0, as in the model
  /// caches of stores and the copies in mapping models.
  static func value(_ text: String, of type: AttributeType) -> AttributeValue? {
    switch type.kind {
    case .integer: integer(text).map { .integer($0) }
    case .decimal: decimal(text).map { .decimal($0) }
    case .double: double(text).map { .double($0) }
    case .boolean: boolean(text).map { .boolean($0) } ?? integer(text).map { .boolean($0 != 0) }
    case .string: .string(text)
    case .date: Double(text).flatMap { $0.isFinite ? .date($0) : nil }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: .uri(text)
    case .binary, nil: nil
    }
  }

  private static func integer(_ text: String) -> Int64? {
    if let number = Int64(text) { return number }
    return double(text).flatMap { Int64(exactly: $0) }
  }

  private static func double(_ text: String) -> Double? {
    if let number = Double(text) { return number.isFinite ? number : nil }
    return boolean(text) == nil ? nil : 0
  }

  private static func decimal(_ text: String) -> Decimal? {
    // Foundation ignores trailing characters; a number has no other characters.
    let isNumber = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    return isNumber ? Decimal(string: text) : boolean(text).map { _ in 0 }
  }
}

extension AttributeType {
  /// Whether a text states a value of the type; an empty text does so only for strings.
  func isWritten(as text: String) -> Bool {
    kind != nil && kind != .binary && (self == .string || !text.isEmpty)
  }
}

/// An element of a model's XML, with the context for error messages.
struct SourceContext {
  let path: String
  let element: SourceElement
  /// The subject in error messages, from outside in, such as `entity Note, attribute title`.
  let subject: String

  /// The same for a child, whose kind and name are appended to the subject.
  func child(_ element: SourceElement) -> SourceContext {
    guard let name = element.attributes["name"] else {
      return SourceContext(path: path, element: element, subject: subject)
    }
    let own = "\(element.name) \(name)"
    return SourceContext(
      path: path,
      element: element,
      subject: subject.isEmpty ? own : subject + ", " + own
    )
  }

  func children(_ name: String) -> [SourceContext] { element.children(name).map(child) }

  func fault(_ reason: String) -> ModelError {
    let place = "line \(element.line)" + (subject.isEmpty ? "" : ", " + subject)
    return .invalid(path: path, place: place, reason: reason)
  }

  /// A required attribute, which must not be empty.
  func required(_ attribute: String) throws(ModelError) -> String {
    guard let value = element.text(attribute) else {
      throw fault("<\(element.name)> lacks the attribute \(attribute)")
    }
    return value
  }

  /// A flag, which is present only if it is true, as `YES`.
  func flag(_ attribute: String) throws(ModelError) -> Bool {
    guard let value = element.text(attribute) else { return false }
    guard let flag = SourceValue.boolean(value) else {
      throw fault("\(attribute) is \(value), neither YES nor NO")
    }
    return flag
  }

  func integer(_ attribute: String) throws(ModelError) -> Int64? {
    guard let value = element.text(attribute) else { return nil }
    guard let number = Int64(value) else { throw fault("\(attribute) is \(value), not an integer") }
    return number
  }

  func double(_ attribute: String) throws(ModelError) -> Double? {
    guard let value = element.text(attribute) else { return nil }
    guard let number = Double(value), number.isFinite else {
      throw fault("\(attribute) is \(value), not a number")
    }
    return number
  }

  /// A renaming identifier, which two editors write under different names; `nil` if it equals the name.
  func renamingIdentifier() -> String? {
    let identifier = element.text("elementID") ?? element.text("renamingIdentifier")
    return identifier == element.attributes["name"] ? nil : identifier
  }

  /// The entries of `userInfo`; the last of duplicate keys wins.
  func userInfo() -> [String: String] {
    var result: [String: String] = [:]
    for entry in element.children("userInfo").flatMap({ $0.children("entry") }) {
      guard let key = entry.attributes["key"] else { continue }
      result[key] = entry.attributes["value"] ?? ""
    }
    return result
  }

  func predicate(_ attribute: String) throws(ModelError) -> ValuePredicate? {
    guard let text = element.text(attribute) else { return nil }
    do throws(ExpressionError) {
      return try ValuePredicate(format: text)
    } catch {
      throw fault("\(attribute): \(error)")
    }
  }

  func expression(_ attribute: String) throws(ModelError) -> ValueExpression? {
    guard let text = element.text(attribute) else { return nil }
    do throws(ExpressionError) {
      return try ValueExpression(format: text)
    } catch {
      throw fault("\(attribute): \(error)")
    }
  }
}
