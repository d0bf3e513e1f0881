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

  /// The children with a name.
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
