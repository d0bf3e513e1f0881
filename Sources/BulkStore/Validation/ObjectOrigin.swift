/// From what an object of the destination was made.
package struct ObjectOrigin: Hashable, Sendable {
  /// The name of the entity mapping that made it.
  package let mapping: String
  /// The entity of the source object.
  package let entity: String
  /// The key of the source object's row.
  package let key: Int64

  package init(mapping: String, entity: String, key: Int64) {
    self.mapping = mapping
    self.entity = entity
    self.key = key
  }
}
