package struct TestObject: Sendable {
  package let entity: String
  /// Its key, `Z_PK`.
  package let key: Int64
  /// Its attributes' values; one that is left out is nil.
  package let values: [String: AttributeValue]
  /// The keys of its relationships' members, in their order where there is one.
  package let links: [String: [Int64]]
  /// Its version, `Z_OPT`.
  package let version: Int64

  /// An object; a pair of a relationship and its inverse needs to be told from one side only.
  package init(
    _ entity: String,
    _ key: Int64,
    _ values: [String: AttributeValue] = [:],
    links: [String: [Int64]] = [:],
    version: Int64 = 1
  ) {
    self.entity = entity
    self.key = key
    self.values = values
    self.links = links
    self.version = version
  }
}

extension [TestObject] {
  /// Objects of an entity with the keys 1, 2, 3 …, by their values.
  package static func each(
    _ entity: String,
    _ values: [String: AttributeValue]...
  ) -> [TestObject] {
    zip(1..., values).map { TestObject(entity, $0, $1) }
  }
}
