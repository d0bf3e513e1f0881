package import BulkModel
package import BulkSQLite

/// The computation of a destination column from a row of a source table.
///
/// In the SQL of an expression, the source table is named `s`, and its database `source`.
package indirect enum ColumnExpression: Hashable, Sendable {
  /// A column of the source row.
  case column(String)
  case constant(SQLiteValue)
  /// The first expression that is not NULL.
  case firstNonNull(ColumnExpression, ColumnExpression)
  /// An entity number, renumbered; NULL for a number without a new one.
  case renumbered(ColumnExpression, [Int64: Int64])
  /// The value for the source row's entity; NULL for an entity without one.
  case byEntity([EntityCase])
  /// The first partner of the source row along a relationship that other rows hold.
  case firstPartner(RelationshipRows)
  /// The place of the source row in the collection of its first partner.
  case placeAtFirstPartner(RelationshipRows)
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
  /// A key plus an offset.
  case shifted(ColumnExpression, by: Int64)
  /// The key of an existing row of a source table plus the offset of its entity; NULL if that
  /// row, or its entity has no offset.
  case translated(ColumnExpression, in: String, [Int64: Int64])
  /// A column of the row of a source table with a key.
  case columnOfRow(String, in: String, key: ColumnExpression)
  /// A part of the object that a link leads to from a source object with a key, which is found
  /// while the row is written; NULL if the object does not exist.
  case linked(Int, LinkedPart, key: ColumnExpression)
  /// A value that SQL computes from the row.
  case computed(ColumnComputation)

  package struct EntityCase: Hashable, Sendable {
    /// The source entities' numbers, ascending.
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

  /// The default value of an attribute; NULL if it has none.
  package static func defaultValue(of attribute: AttributeDescription) -> ColumnExpression {
    .constant(ColumnCoding.defaultValue(of: attribute) ?? .null)
  }

  /// A constant of an expression as the column of an attribute holds it.
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

  package var sql: String {
    switch self {
    case .column(let name): "s.\(SQLText.quoted(name))"
    case .constant(let value): value.literal
    case .firstNonNull(let first, let second): "ifnull(\(first.sql), \(second.sql))"
    case .renumbered(let value, let numbers): Self.renumbering(value, numbers)
    case .byEntity(let cases):
      Self.choiceSQL(cases.map { ($0.entities, $0.value.sql) }) ?? "NULL"
    case .firstPartner(let lookup): lookup.partnerSQL()
    case .placeAtFirstPartner(let lookup): lookup.placeSQL()
    case .mutual(let key, let lookup):
      "CASE WHEN \(lookup.partnerSQL(ofRow: key.sql)) = s.Z_PK THEN \(key.sql) END"
    case .prefixed(let value): "CAST(x'01' || \(value.sql) AS BLOB)"
    case .unprefixed(let value):
      "CASE WHEN substr(\(value.sql), 1, 1) = x'01' THEN substr(\(value.sql), 2) ELSE \(value.sql) END"
    case .entityNumber(let table, let key): Self.entity(ofRowIn: table, key)
    case .storedEntity(let number, let key, let table, let expected):
      "CASE WHEN \(number.sql) IN (\(Self.list(expected))) THEN \(number.sql) "
        + "ELSE \(Self.entity(ofRowIn: table, key)) END"
    case .onlyIf(let value, let entity, let numbers):
      "CASE WHEN \(entity.sql) IN (\(Self.list(numbers))) THEN \(value.sql) END"
    case .onlyWith(let value, let key): "CASE WHEN \(key.sql) IS NOT NULL THEN \(value.sql) END"
    case .shifted(let key, let distance): Self.shifted(key.sql, by: distance)
    case .translated(let key, let table, let distances):
      Self.translation(key.sql, in: table, distances)
    case .columnOfRow(let column, let table, let key):
      "(SELECT r.\(SQLText.quoted(column)) FROM source.\(SQLText.quoted(table)) AS r "
        + "WHERE r.Z_PK = \(key.sql))"
    case .linked(let link, let part, let key):
      SQLText.linked(link, part, row: "s.rowid", key: key.sql)
    case .computed(let computation): computation.sql
    }
  }

  private static func shifted(_ key: String, by distance: Int64) -> String {
    distance == 0 ? key : "\(key) + \(distance)"
  }

  private static func translation(
    _ key: String,
    in table: String,
    _ distances: [Int64: Int64]
  ) -> String {
    guard !distances.isEmpty else { return "NULL" }
    let entities = distances.keys.sorted()
    let cases = entities.map { "WHEN \($0) THEN \(distances[$0] ?? 0)" }
    let value =
      Set(distances.values).count == 1
      ? shifted("p.Z_PK", by: distances.values.first ?? 0)
      : "p.Z_PK + CASE p.Z_ENT \(cases.joined(separator: " ")) END"
    return "(SELECT \(value) FROM source.\(SQLText.quoted(table)) AS p "
      + "WHERE p.Z_PK = \(key) AND p.Z_ENT IN (\(list(entities))))"
  }

  private static func entity(ofRowIn table: String, _ key: ColumnExpression) -> String {
    "(SELECT Z_ENT FROM source.\(SQLText.quoted(table)) WHERE Z_PK = \(key.sql))"
  }

  private static func renumbering(_ value: ColumnExpression, _ numbers: [Int64: Int64]) -> String {
    guard !numbers.isEmpty else { return "NULL" }
    // Unchanged numbers are listed too, so that one that is gone becomes NULL.
    let cases = numbers.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" }
      .joined(separator: " ")
    guard case .storedEntity(let number, let key, let table, let expected) = value else {
      return "CASE \(value.sql) \(cases) END"
    }
    // An expected number needs no lookup of a row, and is compared once.
    let known = expected.map { "WHEN \($0) THEN \(numbers[$0].map(String.init) ?? "NULL")" }
    return "CASE \(number.sql) \(known.joined(separator: " ")) ELSE CASE WHEN \(key.sql) "
      + "IS NOT NULL THEN CASE \(entity(ofRowIn: table, key)) \(cases) END END END"
  }

  /// The values for entities of the source row that have one; `nil` if none has.
  static func choiceSQL(_ cases: [(entities: [Int64], sql: String?)]) -> String? {
    let parts = cases.compactMap { choice in
      choice.sql.map { "WHEN s.Z_ENT IN (\(list(choice.entities))) THEN \($0)" }
    }
    return parts.isEmpty ? nil : "CASE \(parts.joined(separator: " ")) END"
  }

  package static func list(_ numbers: [Int64]) -> String {
    numbers.map(String.init).joined(separator: ", ")
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
    case .column(let name), .renumbered(.column(let name), _), .firstNonNull(.column(let name), _),
      .onlyIf(.column(let name), _, _), .onlyWith(.column(let name), _),
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
