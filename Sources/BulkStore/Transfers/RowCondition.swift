package import BulkModel
package import BulkSQLite

/// A condition on a row in SQL; it is always true or false, never NULL.
package indirect enum RowCondition: Hashable, Sendable {
  /// True or false whatever the row holds.
  case constant(Bool)
  /// The value is NULL.
  case isNull(ColumnExpression)
  /// Two values are equal, or both NULL.
  case same(ColumnExpression, ColumnExpression)
  /// The value is one of several constants other than nil; false if it is NULL.
  case among(ColumnExpression, [AttributeValue])
  /// Two values are ordered; false if one is NULL, except that NULL is `<=` and `>=` NULL.
  case ordered(ColumnExpression, RecordProgram.Order, ColumnExpression)
  /// A text contains another one that is not empty, byte by byte; false if it is NULL.
  case contains(ColumnExpression, String)
  /// A text begins with another one that is not empty, byte by byte; false if it is NULL.
  case begins(ColumnExpression, with: String)
  /// A text ends with another one that is not empty, byte by byte; false if it is NULL.
  case ends(ColumnExpression, with: String)
  case not(RowCondition)
  case and([RowCondition])
  case or([RowCondition])
}

extension RowCondition {
  /// The condition in SQL over `s`, which binds as tightly as a value.
  package var sql: String {
    switch self {
    case .constant(let truth): truth ? "1" : "0"
    case .isNull(let value): "(\(value.sql) IS NULL)"
    case .same(let first, let second): "(\(first.sql) IS \(second.sql))"
    case .among(let value, let constants):
      // The `+` drops the affinity of the value, which would apply to all constants.
      "ifnull(+\(value.sql) IN (\(Self.list(constants))), 0)"
    case .ordered(let first, let order, let second):
      "ifnull(\(first.sql) \(order.rawValue) \(second.sql), "
        + (order.holdsForEqual ? "\(first.sql) IS \(second.sql))" : "0)")
    case .contains(let text, let part): "ifnull(\(Self.place(of: part, in: text)) > 0, 0)"
    case .begins(let text, let part): "ifnull(\(Self.place(of: part, in: text)) = 1, 0)"
    case .ends(let text, let part):
      // As bytes, because SQLite counts the characters of a text only up to a NUL.
      "(substr(CAST(\(text.sql) AS BLOB), -\(part.utf8.count)) IS "
        + SQLiteValue.blob(Array(part.utf8)).literal + ")"
    case .not(let part): "(NOT \(part.sql))"
    case .and(let parts): Self.joined(parts, by: " AND ", empty: true)
    case .or(let parts): Self.joined(parts, by: " OR ", empty: false)
    }
  }

  private static func list(_ constants: [AttributeValue]) -> String {
    constants.map { ColumnCoding.value(of: $0).literal }.joined(separator: ",")
  }

  private static func place(of part: String, in text: ColumnExpression) -> String {
    "instr(\(text.sql), \(SQLiteValue.text(part).literal))"
  }

  private static func joined(_ parts: [RowCondition], by word: String, empty: Bool) -> String {
    guard !parts.isEmpty else { return RowCondition.constant(empty).sql }
    return balanced(parts.map(\.sql)[...], by: word)
  }

  /// Joins terms in halves: SQLite nests `a AND b AND c` as deep as it is long, and accepts 1,000 levels.
  private static func balanced(_ terms: ArraySlice<String>, by word: String) -> String {
    let flat = 100
    guard terms.count > flat else { return "(\(terms.joined(separator: word)))" }
    let middle = terms.startIndex + terms.count / 2
    return "(" + balanced(terms[..<middle], by: word) + word + balanced(terms[middle...], by: word)
      + ")"
  }

  /// The expressions that are compared.
  var operands: [ColumnExpression] {
    switch self {
    case .constant: []
    case .isNull(let value), .among(let value, _), .contains(let value, _), .begins(let value, _),
      .ends(let value, _):
      [value]
    case .same(let first, let second), .ordered(let first, _, let second): [first, second]
    case .not(let part): part.operands
    case .and(let parts), .or(let parts): parts.flatMap(\.operands)
    }
  }
}
