public import BulkModel
internal import BulkStore

/// A destination object that is being made; it is inserted once, or dropped.
public struct DestinationInstance: ~Copyable {
  var row: EntityRow
  private let columns: RowColumns
  private(set) var partners: [(relationship: String, object: ObjectID?)] = []

  init(_ columns: RowColumns) { (row, self.columns) = (columns.makeRow(), columns) }

  /// Ends making the object; the next one of its entity gets the memory of its row.
  consuming func end() {
    row.reset()
    columns.spare = row
  }

  /// The name of the object's entity.
  public var entityName: String { row.shape.entity.name }

  /// The value of an attribute, or `nil`.
  ///
  /// Throws a ``PolicyError`` if the entity stores no such attribute.
  public subscript(attribute: String) -> AttributeValue? {
    get throws {
      guard let value = row[attribute: attribute] else { throw columns.unknownAttribute(attribute) }
      return value == .null ? nil : value
    }
  }

  /// Sets the value of an attribute; `nil` overrides even a default value.
  ///
  /// - Throws: ``PolicyError`` if the entity stores no such attribute.
  public mutating func setValue(_ value: AttributeValue?, forKey attribute: String) throws {
    row.set(value ?? .null, in: try columns.column(of: attribute))
  }

  /// Sets the object of a to-one relationship, or clears it.
  ///
  /// When this object is inserted, the other one must exist, unless it is this one, and must be of the entity to which the
  /// relationship leads.
  ///
  /// - Throws: ``PolicyError`` if the entity has no such to-one relationship, or the destination does not
  ///   have the object's entity.
  public mutating func setObject(_ object: ObjectID?, for relationship: String) throws {
    if let object, row.shape.numbering.number(of: object.entityName) == 0 {
      throw PolicyError.unknownEntity(object.entityName, in: row.shape.numbering.entities)
    }
    guard row.set(partner: object, for: relationship) else {
      throw PolicyError.unknownProperty(
        relationship,
        "to-one relationship",
        of: entityName,
        known: row.shape.partnerNames
      )
    }
    partners.removeAll { $0.relationship == relationship }
    partners.append((relationship, object))
  }
}

/// Makes the rows of the objects of an entity, and finds the columns of the attributes that a policy sets.
final class RowColumns {
  let shape: EntityRowShape
  /// The row of a new object, in the memory of one that was inserted.
  fileprivate var spare: EntityRow?
  private var known = RecurringNames<EntityRowShape.AttributeColumn>()

  init(_ shape: EntityRowShape) { self.shape = shape }

  fileprivate func makeRow() -> EntityRow { spare.take() ?? EntityRow(shape) }

  /// The column of an attribute.
  ///
  /// - Throws: ``PolicyError`` if the entity stores no such attribute.
  func column(of attribute: String) throws -> EntityRowShape.AttributeColumn {
    if let column = known.value(of: attribute) { return column }
    guard let column = shape.column(of: attribute) else { throw unknownAttribute(attribute) }
    return known.add(column, for: attribute)
  }

  func unknownAttribute(_ name: String) -> PolicyError {
    .unknownProperty(name, "attribute", of: shape.entity.name, known: shape.attributeNames)
  }
}
