public import BulkModel
internal import BulkStore

/// A destination object that is being made; it is inserted once, or dropped.
public struct DestinationInstance: ~Copyable {
  var row: EntityRow
  /// The relationships that were set here, by name.
  var setRelationships: Set<String> = []

  init(_ row: EntityRow) { self.row = row }

  /// The name of the object's entity.
  public var entityName: String { row.shape.entity.name }

  /// The value of an attribute; setting `nil` sets it to nil, even over a default value.
  ///
  /// An attribute that the entity does not store stays `nil` whatever it is given.
  public subscript(attribute: String) -> AttributeValue? {
    get {
      let value = row[attribute: attribute]
      return value == .null ? nil : value
    }
    set { _ = row.set(newValue ?? .null, for: attribute) }
  }

  /// Lets a to-one relationship lead to an object, or to none.
  ///
  /// - Throws: ``PolicyError`` if the entity has no such to-one relationship.
  public mutating func setObject(_ object: ObjectID?, for relationship: String) throws {
    guard row.set(partner: object, for: relationship) else {
      throw PolicyError("entity \(entityName) has no to-one relationship \(relationship)")
    }
    setRelationships.insert(relationship)
  }
}
