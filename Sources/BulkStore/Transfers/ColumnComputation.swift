package import BulkSQLite

/// A value that SQL computes from a row.
package indirect enum ColumnComputation: Hashable, Sendable {
  /// An extreme of the values of a column.
  package enum Extreme: String, Hashable, Sendable {
    case least = "min"
    case greatest = "max"
  }

  /// An operation on two numbers; NULL if either is.
  case arithmetic(ColumnExpression, RecordProgram.Arithmetic, ColumnExpression)
  /// 1 for a number other than zero, 0 for zero.
  case isNonzero(ColumnExpression)
  /// A number converted to REAL.
  case real(ColumnExpression)
  /// An integer converted to TEXT.
  case text(ColumnExpression)
  /// A text with another one behind it; NULL if either is.
  case joined(ColumnExpression, ColumnExpression)
  /// 1 for equal values, 0 for different ones; NULL if either is.
  case equality(ColumnExpression, ColumnExpression)
  /// One of two values, by a condition.
  case conditional(RowCondition, ColumnExpression, ColumnExpression)
  /// The number of objects related to the row with a key; 0 if the key is NULL.
  case memberCount(RelationshipRows, ofRow: ColumnExpression)
  /// The least or the greatest value of a column of the objects related to the row with a key; NULL if
  /// there is none.
  case memberExtreme(Extreme, String, RelationshipRows, ofRow: ColumnExpression)

  /// The computation in SQL, which binds as tightly as a value.
  var sql: String {
    switch self {
    case .arithmetic(let first, let sign, let second):
      "(\(first.sql) \(sign.rawValue) \(second.sql))"
    case .isNonzero(let value): "(\(value.sql) <> 0)"
    case .real(let value): "CAST(\(value.sql) AS REAL)"
    case .text(let value): "CAST(\(value.sql) AS TEXT)"
    case .joined(let first, let second): "(\(first.sql) || \(second.sql))"
    case .equality(let first, let second): "(\(first.sql) = \(second.sql))"
    case .conditional(let condition, let first, let second):
      "CASE WHEN \(condition.sql) THEN \(first.sql) ELSE \(second.sql) END"
    case .memberCount(let members, let key): Self.ofMembers("count(*)", members, key)
    case .memberExtreme(let extreme, let column, let members, let key):
      Self.ofMembers("\(extreme.rawValue)(m.\(SQLText.quoted(column)))", members, key)
    }
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

  /// The expressions from which it is computed.
  var operands: [ColumnExpression] {
    switch self {
    case .arithmetic(let first, _, let second), .joined(let first, let second),
      .equality(let first, let second):
      [first, second]
    case .isNonzero(let value), .real(let value), .text(let value), .memberCount(_, let value),
      .memberExtreme(_, _, _, let value):
      [value]
    case .conditional(let condition, let first, let second):
      condition.operands + [first, second]
    }
  }
}
