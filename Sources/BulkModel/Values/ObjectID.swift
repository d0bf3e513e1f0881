/// The identity of an object in a store: its entity and the key of its row.
public struct ObjectID: Hashable, Sendable {
  /// The name of the object's entity.
  public let entityName: String
  /// The key of its row, `Z_PK`.
  public let key: Int64

  /// The identity of an object.
  public init(entityName: String, key: Int64) {
    self.entityName = entityName
    self.key = key
  }
}
