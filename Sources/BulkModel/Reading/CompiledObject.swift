internal import BulkCoding

/// An object of a compiled model, with the context for error messages.
struct CompiledObject {
  let path: String
  let object: ArchivedObject
  /// The subject in error messages, such as `entity Note, attribute title`.
  let subject: String

  /// The same for another object.
  func child(_ object: ArchivedObject, _ kind: String, _ name: String) -> CompiledObject {
    let own = "\(kind) \(name)"
    return CompiledObject(
      path: path,
      object: object,
      subject: subject.isEmpty ? own : subject + ", " + own
    )
  }

  func fault(_ reason: String) -> ModelError {
    let place = subject.isEmpty ? "the model" : subject
    return .invalid(path: path, place: place, reason: reason)
  }

  /// The text of a key; `nil` if it is `$null`, absent or empty.
  func text(_ key: String) throws(ModelError) -> String? {
    guard let value = object[key] else { return nil }
    guard let text = value.string else { throw fault("\(key) is not a string") }
    return text.isEmpty ? nil : text
  }

  func required(_ key: String) throws(ModelError) -> String {
    guard let text = try text(key) else { throw fault("\(key) is missing") }
    return text
  }

  /// A flag; an absent one is not set.
  func flag(_ key: String) throws(ModelError) -> Bool {
    guard let value = object[key] else { return false }
    guard let flag = value.boolean else { throw fault("\(key) is not a Boolean") }
    return flag
  }

  func integer(_ key: String) throws(ModelError) -> Int64? {
    guard let value = object[key] else { return nil }
    guard let number = value.integer else { throw fault("\(key) is not an integer") }
    return number
  }

  /// The elements of a collection, without nil.
  func elements(_ key: String) throws(ModelError) -> [ArchivedObject] {
    guard let value = object[key] else { return [] }
    guard let elements = value.elements else { throw fault("\(key) is not a collection") }
    return elements.compactMap(\.self)
  }

  /// The entries of a dictionary, without nil.
  func entries(_ key: String) throws(ModelError) -> [(key: String, value: ArchivedObject)] {
    guard let value = object[key] else { return [] }
    guard let entries = value.entries else {
      throw fault("\(key) is not a dictionary with strings as keys")
    }
    return entries.compactMap { entry in entry.value.map { (entry.key, $0) } }
  }

  func lists(_ key: String) throws(ModelError) -> [[String]] {
    var result: [[String]] = []
    for list in try elements(key) {
      guard let names = list.elements else { throw fault("an element of \(key) is not a list") }
      result.append(names.compactMap { $0?.string })
    }
    return result.filter { !$0.isEmpty }
  }

  /// The text entries of the user info; others are of no use outside their application.
  func userInfo() throws(ModelError) -> [String: String] {
    var result: [String: String] = [:]
    for (key, value) in try entries("NSUserInfo") { result[key] = value.string }
    return result
  }

  /// A renaming identifier; `nil` if it equals the name.
  func renamingIdentifier(of name: String) throws(ModelError) -> String? {
    let identifier = try text("NSRenamingIdentifier")
    return identifier == name ? nil : identifier
  }
}

extension CompiledObject {
  func expression(_ key: String) throws(ModelError) -> ValueExpression? {
    guard let object = object[key] else { return nil }
    do throws(ExpressionArchiveError) {
      return try ValueExpression(archived: object)
    } catch {
      throw fault("\(key): \(error)")
    }
  }

  func predicate(_ key: String) throws(ModelError) -> ValuePredicate? {
    guard let object = object[key] else { return nil }
    return try predicate(object, of: key)
  }

  /// A predicate in the collection of a key.
  func predicate(_ object: ArchivedObject, of key: String) throws(ModelError) -> ValuePredicate {
    do throws(ExpressionArchiveError) {
      return try ValuePredicate(archived: object)
    } catch {
      throw fault("\(key): \(error)")
    }
  }
}
