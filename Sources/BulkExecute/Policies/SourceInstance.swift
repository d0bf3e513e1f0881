public import BulkModel
internal import BulkStore

/// A source object, as a policy sees it while its row is read.
///
/// It cannot be copied or kept, so a policy holds one object at a time however large the store is.
public struct SourceInstance: ~Copyable {
  /// The object's identity in the source.
  public let objectID: ObjectID
  let reader: SourceReader

  init(_ objectID: ObjectID, _ reader: SourceReader) {
    self.objectID = objectID
    self.reader = reader
  }

  /// The value of an attribute, or of one at the end of a path of to-one relationships, or `nil`.
  ///
  /// Throws a ``PolicyError`` for a name that the source does not have, and any error of reading.
  public subscript(attribute: String) -> AttributeValue? {
    get throws {
      let value = try value(forKeyPath: attribute)
      return value == .null ? nil : value
    }
  }

  /// The value at the end of a path of to-one relationships, as in `note.body`.
  ///
  /// - Returns: The value; `.null` if it or an object along the path is nil.
  /// - Throws: ``PolicyError`` if the path does not lead to an attribute along to-one relationships.
  public func value(forKeyPath path: String) throws -> AttributeValue {
    try reader.value(of: path, at: objectID.key)
  }
}
