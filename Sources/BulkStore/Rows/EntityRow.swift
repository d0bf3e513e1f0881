package import BulkModel
package import BulkSQLite

/// The row of one object, with its values by property.
package struct EntityRow: Sendable {
  package let shape: EntityRowShape
  /// The values, by column.
  package internal(set) var values: [SQLiteValue]

  /// The row of a new object, with the model's default values.
  package init(_ shape: EntityRowShape) {
    self.shape = shape
    values = shape.initial
  }

  /// Makes it the row of another new object, in the same memory.
  package mutating func reset() {
    for index in values.indices { values[index] = shape.initial[index] }
  }

  /// The key of the row; 0 until it has one.
  package var key: Int64 {
    get {
      guard case .integer(let key) = values.first else { return 0 }
      return key
    }
    set { if !values.isEmpty { values[0] = .integer(newValue) } }
  }

  /// The value of an attribute; `nil` if the entity stores no such attribute.
  package subscript(attribute name: String) -> AttributeValue? {
    shape.attributes[name].map {
      ColumnCoding.attributeValue(values[$0.index], of: $0.attribute)
    }
  }

  /// Sets the value of an attribute, and returns whether the entity stores it.
  package mutating func set(_ value: AttributeValue, for name: String) -> Bool {
    guard let column = shape.attributes[name] else { return false }
    set(value, in: column)
    return true
  }

  /// Sets the value of an attribute whose column in rows of this shape is known.
  package mutating func set(_ value: AttributeValue, in column: EntityRowShape.AttributeColumn) {
    values[column.index] = ColumnCoding.value(of: value, in: column.attribute)
  }

  /// Sets the object of a to-one relationship, and returns whether the entity stores it in its rows.
  package mutating func set(partner: ObjectID?, for name: String) -> Bool {
    guard let columns = shape.partners[name] else { return false }
    values[columns.key] = partner.map { .integer($0.key) } ?? .null
    if let entity = columns.entity {
      values[entity] =
        partner.map { .integer(shape.numbering.number(of: $0.entityName)) } ?? .null
    }
    return true
  }
}
