internal import BulkModel
internal import BulkSQLite

extension ColumnExpression {
  package var sql: String {
    switch self {
    case .column(let name): "s.\(SQLText.quoted(name))"
    case .constant(let value): value.literal
    case .firstNonNull(let first, let second): "ifnull(\(first.sql), \(second.sql))"
    case .renumbered(let value, let numbers): Self.renumbering(value, numbers)
    case .byEntity(let cases):
      Self.choiceSQL(cases.map { ($0.entities, $0.value.sql) }) ?? "NULL"
    case .firstPartner(let lookup): lookup.partnerSQL()
    case .positionAtFirstPartner(let lookup): lookup.positionSQL()
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
    case .arithmetic(let first, let sign, let second):
      "(\(first.sql) \(sign.rawValue) \(second.sql))"
    case .isNonzero(let value): "(\(value.sql) <> 0)"
    case .real(let value): "CAST(\(value.sql) AS REAL)"
    case .whole(let value): "CAST(\(value.sql) AS INTEGER)"
    case .text(let value): "CAST(\(value.sql) AS TEXT)"
    case .joined(let first, let second): "(\(first.sql) || \(second.sql))"
    case .equality(let first, let second): "(\(first.sql) = \(second.sql))"
    case .conditional(let condition, let first, let second):
      "CASE WHEN \(condition.sql) THEN \(first.sql) ELSE \(second.sql) END"
    case .memberCount(let members, let key): Self.ofMembers("count(*)", members, key)
    case .memberExtreme(let extreme, let column, let members, let key):
      Self.ofMembers("\(extreme.rawValue)(m.\(SQLText.quoted(column)))", members, key)
    case .isNull, .same, .among, .isIn, .ordered, .contains, .begins, .ends, .partner, .matches,
      .not, .and, .or:
      conditionSQL
    }
  }

  /// A condition in SQL, which binds as tightly as a term of AND.
  private var conditionSQL: String {
    switch self {
    case .isNull(let value): "(\(value.sql) IS NULL)"
    case .same(let first, let second): "(\(first.sql) IS \(second.sql))"
    case .among(let value, let constants):
      // The `+` drops the affinity of the value, which would apply to all constants.
      "ifnull(+\(value.sql) IN (\(Self.list(constants))), 0)"
    case .isIn(let column, let numbers):
      "s.\(SQLText.quoted(column)) IN (\(Self.list(numbers)))"
    case .ordered(let first, let order, let second):
      "ifnull(\(first.sql) \(order.rawValue) \(second.sql), "
        + (order.holdsForEqual ? "\(first.sql) IS \(second.sql))" : "0)")
    case .contains(let text, let part): "ifnull(\(Self.textPosition(of: part, in: text)) > 0, 0)"
    case .begins(let text, let part): "ifnull(\(Self.textPosition(of: part, in: text)) = 1, 0)"
    case .ends(let text, let part):
      // As bytes, because SQLite counts the characters of a text only up to a NUL.
      "(substr(CAST(\(text.sql) AS BLOB), -\(part.utf8.count)) IS "
        + SQLiteValue.blob(Array(part.utf8)).literal + ")"
    case .partner(let key, let table, let numbers):
      "EXISTS (SELECT 1 FROM source.\(SQLText.quoted(table)) AS p WHERE p.Z_PK = \(key.sql) "
        + "AND p.Z_ENT IN (\(Self.list(numbers))))"
    case .matches(let row): row.sql
    case .not(.isNull(let value)): "(\(value.sql) IS NOT NULL)"
    case .not(let part): "(NOT \(part.truthSQL))"
    case .and(let parts): Self.joined(parts.map(\.sql), by: " AND ", empty: true)
    case .or(let parts): Self.joined(parts.map(\.truthSQL), by: " OR ", empty: false)
    default: sql
    }
  }

  /// A condition in SQL that does not hold where it would be NULL.
  private var truthSQL: String { mayBeNull ? "ifnull(\(sql), 0)" : sql }

  private var mayBeNull: Bool {
    switch self {
    case .isNull, .same, .among, .ordered, .contains, .begins, .ends, .partner, .matches, .not,
      .or:
      false
    case .and(let parts): parts.contains(where: \.mayBeNull)
    case .constant(let value): value == .null
    default: true
    }
  }

  private static func list(_ constants: [AttributeValue]) -> String {
    constants.map { ColumnCoding.value(of: $0).literal }.joined(separator: ",")
  }

  private static func textPosition(of part: String, in text: ColumnExpression) -> String {
    "instr(\(text.sql), \(SQLiteValue.text(part).literal))"
  }

  private static func joined(_ parts: [String], by word: String, empty: Bool) -> String {
    parts.isEmpty ? truth(empty).sql : balanced(parts[...], by: word)
  }

  /// Joins terms in halves: SQLite nests `a AND b AND c` as deep as it is long, and accepts 1,000 levels.
  private static func balanced(_ terms: ArraySlice<String>, by word: String) -> String {
    let flat = 100
    guard terms.count > flat else { return "(\(terms.joined(separator: word)))" }
    let middle = terms.startIndex + terms.count / 2
    return "(" + balanced(terms[..<middle], by: word) + word + balanced(terms[middle...], by: word)
      + ")"
  }

  /// A value over all objects related to the row with a key; for a row that others share it is computed
  /// once, however many these are.
  private static func ofMembers(
    _ value: String,
    _ members: RelationshipRows,
    _ key: ColumnExpression
  ) -> String {
    func sql(_ key: String) -> String {
      "(SELECT \(value) \(members.membersSQL(ofRow: key, as: "m")))"
    }
    if case .column("Z_PK") = key { return sql(key.sql) }
    return SQLText.recalled(sql(key.sql), site: sql("?"), key: key.sql)
  }

  private static func shifted(_ key: String, by distance: Int64) -> String {
    distance == 0 ? key : "(\(key) + \(distance))"
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

  /// `nil` if no entity has a value.
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
