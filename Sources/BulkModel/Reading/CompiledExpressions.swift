internal import BulkCoding

extension CompiledObject {
  /// The expression that a key holds.
  func expression(_ key: String) throws(ModelError) -> ValueExpression? {
    guard let object = object[key] else { return nil }
    do throws(ExpressionArchiveError) {
      return try ValueExpression(archived: object)
    } catch {
      throw fault("\(key): \(error)")
    }
  }

  /// The predicate that a key holds.
  func predicate(_ key: String) throws(ModelError) -> ValuePredicate? {
    guard let object = object[key] else { return nil }
    return try predicate(object, of: key)
  }

  /// A predicate in the collection that a key holds.
  func predicate(_ object: ArchivedObject, of key: String) throws(ModelError) -> ValuePredicate {
    do throws(ExpressionArchiveError) {
      return try ValuePredicate(archived: object)
    } catch {
      throw fault("\(key): \(error)")
    }
  }
}
