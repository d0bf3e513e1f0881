/// A place in a model's XML, for reading its attributes and for naming what is wrong with them.
struct SourceContext {
  let path: String
  let element: SourceElement
  /// What the element describes, from outside in, such as `entity Note, attribute title`.
  let subject: String

  /// The same for a child, whose kind and name go to the subject.
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

  /// The children of one name.
  func children(_ name: String) -> [SourceContext] { element.children(name).map(child) }

  func fault(_ reason: String) -> ModelError {
    let place = "line \(element.line)" + (subject.isEmpty ? "" : ", " + subject)
    return .invalid(path: path, place: place, reason: reason)
  }

  /// An attribute that must be there and not empty.
  func required(_ attribute: String) throws(ModelError) -> String {
    guard let value = element.text(attribute) else {
      throw fault("<\(element.name)> lacks the attribute \(attribute)")
    }
    return value
  }

  /// An attribute that is there only where it is true, as `YES`.
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

  /// The identifier of a renaming, which two editors write under different names; `nil` where it says
  /// no more than the name.
  func renamingIdentifier() -> String? {
    let identifier = element.text("elementID") ?? element.text("renamingIdentifier")
    return identifier == element.attributes["name"] ? nil : identifier
  }

  /// The entries of `userInfo`; the last of equal keys counts.
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
