package import BulkModel
package import BulkSQLite

/// A value that is computed from a row of a source table: that of a destination column, or a condition on the row.
///
/// In the SQL of an expression, the source table is named `s`, and its database `source`.
package indirect enum ColumnExpression: Hashable, Sendable {
  case column(String)
  case constant(SQLiteValue)
  case firstNonNull(ColumnExpression, ColumnExpression)
  /// An entity number, renumbered; NULL for a number without a new one.
  case renumbered(ColumnExpression, [Int64: Int64])
  /// The value for the source row's entity; NULL for an entity without one.
  case byEntity([EntityCase])
  /// The first partner of the source row along a relationship that other rows hold.
  case firstPartner(RelationshipRows)
  /// The place of the source row in the collection of its first partner.
  case positionAtFirstPartner(RelationshipRows)
  /// The key of a partner, or NULL if the partner's own first partner is another row.
  case mutual(ColumnExpression, RelationshipRows)
  /// A binary value, preceded by the byte 1 that marks it as stored in its row.
  case prefixed(ColumnExpression)
  /// A binary value without the byte 1 that marks it as stored in its row; unchanged if it does not begin
  /// with that.
  case unprefixed(ColumnExpression)
  /// The entity number of the row of a table with a key.
  case entityNumber(ofRowIn: String, key: ColumnExpression)
  /// The entity number that is stored beside a key; if it is not an expected one, that of the row of a
  /// table with the key.
  case storedEntity(ColumnExpression, key: ColumnExpression, in: String, expected: [Int64])
  /// An expression, or NULL if the entity number of its partner is not in a list.
  case onlyIf(ColumnExpression, entityIn: ColumnExpression, [Int64])
  /// An expression, or NULL if a key is.
  case onlyWith(ColumnExpression, key: ColumnExpression)
  case shifted(ColumnExpression, by: Int64)
  /// The key of an existing row of a source table plus the offset of its entity; NULL if that
  /// row, or its entity has no offset.
  case translated(ColumnExpression, in: String, [Int64: Int64])
  case columnOfRow(String, in: String, key: ColumnExpression)
  /// A part of the object that a link leads to from a source object with a key, which is found
  /// while the row is written; NULL if the object does not exist.
  case linked(Int, LinkedPart, key: ColumnExpression)
  /// An operation on two numbers; NULL if either is.
  case arithmetic(ColumnExpression, RecordProgram.Arithmetic, ColumnExpression)
  /// 1 for a number other than zero, 0 for zero.
  case isNonzero(ColumnExpression)
  case real(ColumnExpression)
  /// The whole part of a number, toward zero.
  case whole(ColumnExpression)
  /// An integer converted to TEXT.
  case text(ColumnExpression)
  /// A text with another one behind it; NULL if either is.
  case joined(ColumnExpression, ColumnExpression)
  /// 1 for equal values, 0 for different ones; NULL if either is.
  case equality(ColumnExpression, ColumnExpression)
  case conditional(ColumnExpression, ColumnExpression, ColumnExpression)
  /// The number of objects related to the row with a key; 0 if the key is NULL.
  case memberCount(RelationshipRows, ofRow: ColumnExpression)
  /// The least or the greatest value of a column of the objects related to the row with a key; NULL if
  /// there is none.
  case memberExtreme(Extreme, String, RelationshipRows, ofRow: ColumnExpression)

  // Conditions are 1 or 0; those that say so may also be NULL, and then do not hold.

  case isNull(ColumnExpression)
  /// Two values are equal, or both NULL.
  case same(ColumnExpression, ColumnExpression)
  /// The value is one of several constants other than nil; false if it is NULL.
  case among(ColumnExpression, [AttributeValue])
  /// The number in a column of the source row is in a list; NULL if the column is.
  case isIn(String, [Int64])
  /// Two values are ordered; false if one is NULL, except that NULL is `<=` and `>=` NULL.
  case ordered(ColumnExpression, RecordProgram.Order, ColumnExpression)
  /// A text contains another one that is not empty, byte by byte; false if it is NULL.
  case contains(ColumnExpression, String)
  /// A text begins with another one that is not empty, byte by byte; false if it is NULL.
  case begins(ColumnExpression, with: String)
  /// A text ends with another one that is not empty, byte by byte; false if it is NULL.
  case ends(ColumnExpression, with: String)
  /// The row of a table with a key exists, and its entity is in a list.
  case partner(key: ColumnExpression, table: String, entityIn: [Int64])
  case matches(RowMatch)
  case not(ColumnExpression)
  /// All conditions hold; NULL if one of them is and no other is false.
  case and([ColumnExpression])
  case or([ColumnExpression])

  package enum Extreme: String, Hashable, Sendable {
    case least = "min"
    case greatest = "max"
  }

  package struct EntityCase: Hashable, Sendable {
    /// Ascending.
    package let entities: [Int64]
    package let value: ColumnExpression

    package init(entities: [Int64], value: ColumnExpression) {
      self.entities = entities
      self.value = value
    }
  }
}

extension ColumnExpression {
  package static let null = ColumnExpression.constant(.null)

  package static func number(_ value: Int64) -> ColumnExpression { .constant(.integer(value)) }

  package static func defaultValue(of attribute: AttributeDescription) -> ColumnExpression {
    .constant(ColumnCoding.defaultValue(of: attribute) ?? .null)
  }

  package static func value(
    _ value: AttributeValue,
    in attribute: AttributeDescription
  ) -> ColumnExpression {
    .constant(ColumnCoding.value(of: value, in: attribute))
  }

  /// A constant of an expression that is compared or computed with.
  package static func value(_ value: AttributeValue) -> ColumnExpression {
    .constant(ColumnCoding.value(of: value))
  }

  package static func truth(_ value: Bool) -> ColumnExpression { .number(value ? 1 : 0) }

  package static func notNull(_ value: ColumnExpression) -> ColumnExpression {
    .not(.isNull(value))
  }

  package static func entityIn(_ numbers: [Int64]) -> ColumnExpression { .isIn("Z_ENT", numbers) }

  package static func isLess(
    _ value: ColumnExpression,
    than other: ColumnExpression
  ) -> ColumnExpression {
    .ordered(value, .less, other)
  }

  /// All conditions of one of the sets hold.
  package static func any(_ sets: [[ColumnExpression]]) -> ColumnExpression {
    .or(sets.map { .and($0) })
  }

  /// In each of the sets some condition does not hold.
  package static func none(_ sets: [[ColumnExpression]]) -> ColumnExpression { .not(.any(sets)) }

  package static func combined(_ byEntity: [Int64: ColumnExpression]) -> ColumnExpression {
    let distinct = Set(byEntity.values)
    if distinct.count == 1, let only = distinct.first { return only }
    let cases = Dictionary(grouping: byEntity.keys) { byEntity[$0] ?? .null }
      .filter { $0.key != .null }
      .map { EntityCase(entities: $0.value.sorted(), value: $0.key) }
    return cases.isEmpty ? .null : .byEntity(cases.sorted { $0.entities[0] < $1.entities[0] })
  }

  /// The expression for source rows of the entity with a number, without cases of others.
  package func ofEntity(_ number: Int64) -> ColumnExpression {
    guard case .byEntity(let cases) = self else { return rewritten { $0.ofEntity(number) } }
    return cases.first { $0.entities.contains(number) }?.value.ofEntity(number) ?? .null
  }
}

extension ColumnExpression {
  /// All choices among several partners in the expression.
  package var choices: [FirstPartner] {
    switch self {
    case .mutual(.firstPartner(let lookup), let inverseLookup):
      [FirstPartner(lookup: lookup, inverseLookup: inverseLookup)]
    case .firstPartner(let lookup): [FirstPartner(lookup: lookup, inverseLookup: nil)]
    // The condition is on what the value leads to.
    case .onlyIf(let value, _, _), .onlyWith(let value, _): value.choices
    default: children.flatMap(\.choices)
    }
  }

  /// The source column whose values the expression copies, if it is just one.
  package var carriedColumn: String? {
    switch self {
    case .column(let name), .whole(.column(let name)), .renumbered(.column(let name), _),
      .firstNonNull(.column(let name), _), .onlyIf(.column(let name), _, _),
      .onlyWith(.column(let name), _),
      .renumbered(.storedEntity(.column(let name), key: _, in: _, expected: _), _):
      name
    default: nil
    }
  }

  /// The source columns whose values lose the byte that shows where they are stored.
  package var unprefixedColumns: [String] {
    switch self {
    case .unprefixed(let value): value.wholeColumns + value.unprefixedColumns
    case .byEntity(let cases): cases.flatMap(\.value.unprefixedColumns)
    case .firstNonNull(let first, _): first.unprefixedColumns
    case .prefixed(let value): value.unprefixedColumns
    default: []
    }
  }

  /// The source columns whose values the expression may return with their first byte.
  private var wholeColumns: [String] {
    switch self {
    case .column(let name): [name]
    case .firstNonNull(let first, let second): first.wholeColumns + second.wholeColumns
    default: []
    }
  }

  /// Whether the value is that of a column, whatever the row.
  package func isColumn(named name: String) -> Bool {
    switch self {
    case .column(let column): column.uppercased() == name.uppercased()
    case .renumbered(.column(let column), let numbers),
      .renumbered(.storedEntity(.column(let column), key: _, in: _, expected: _), let numbers):
      column.uppercased() == name.uppercased() && numbers.allSatisfy { $0.key == $0.value }
    default: false
    }
  }
}

/// Finds the objects that links lead to, while the rows that hold these are written.
package typealias LinkTargets = BulkSQLite.LinkTargets

/// A column with the entity number of a to-one relationship's object, as a transfer reads it.
package struct StoredEntity: Hashable, Sendable {
  package let column: String
  package let keyColumn: String
  package let target: String
  /// The numbers of entities to which the relationship may refer.
  package let expected: [Int64]
  /// The entity numbers of objects that the destination keeps.
  package let kept: [Int64]
}

extension ColumnExpression {
  /// The columns with entity numbers whose values the expression renumbers.
  package var storedEntities: [StoredEntity] {
    switch self {
    case .renumbered(
      .storedEntity(.column(let column), key: .column(let key), in: let target, let expected),
      let numbers
    ):
      [
        StoredEntity(
          column: column,
          keyColumn: key,
          target: target,
          expected: expected,
          kept: numbers.keys.sorted()
        )
      ]
    case .onlyIf(let value, _, _): value.storedEntities
    case .byEntity(let cases): cases.flatMap(\.value.storedEntities)
    default: []
    }
  }
}
