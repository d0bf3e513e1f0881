internal import BulkCoding

extension CompiledObject {
  /// The expression that a key holds.
  func expression(_ key: String) throws(ModelError) -> ValueExpression? {
    guard let object = object[key] else { return nil }
    throw fault("the expression of \(key) is a \(object.className ?? "plain value")")
  }

  /// The predicate that a key holds.
  func predicate(_ key: String) throws(ModelError) -> Predicate? {
    guard let object = object[key] else { return nil }
    return try predicate(object)
  }

  func predicate(_ object: ArchivedObject) throws(ModelError) -> Predicate {
    throw fault("a predicate is a \(object.className ?? "plain value")")
  }
}
