internal import BulkSQLite

/// A row of a store, found by the keys that it may have in some columns.
package struct RowMatch: Hashable, Sendable {
  package enum Side: String, Hashable, Sendable {
    case destination = "main"
    case source
    /// The association tables in ``ListedAssociations``.
    case associations = "temp"
  }

  package enum Key: Hashable, Sendable {
    case shifted(ColumnExpression, by: Int64)
    /// The keys that ``ListedAssociations`` has for a source key under the entity mapping with an index.
    case listed(ColumnExpression, mapping: Int)
  }

  struct Column: Hashable, Sendable {
    let name: String
    let keys: [Key]
  }

  let side: Side
  let table: String
  private(set) var columns: [Column] = []

  package init(_ side: Side, _ table: String) { (self.side, self.table) = (side, table) }

  /// The association of a source key under the entity mapping with an index, in ``ListedAssociations``.
  package static func association(of key: ColumnExpression, under mapping: Int) -> RowMatch {
    RowMatch(.associations, AssociationOrder.source.rawValue)
      .with("association", .number(Int64(mapping))).with("known", key)
  }

  /// The keys are those of which the row has one.
  package func with(_ column: String, _ keys: [Key]) -> RowMatch {
    var result = self
    result.columns.append(Column(name: column, keys: keys))
    return result
  }

  package func with(_ column: String, _ key: ColumnExpression) -> RowMatch {
    with(column, [.shifted(key, by: 0)])
  }

  var sql: String {
    "EXISTS (SELECT 1 FROM \(side.rawValue).\(SQLText.quoted(table)) AS d WHERE "
      + columns.map { "(\($0.sql))" }.joined(separator: " AND ") + ")"
  }
}

extension RowMatch.Column {
  fileprivate var sql: String {
    guard !keys.isEmpty else { return "0" }
    return keys.map { "d.\(SQLText.quoted(name)) \($0.sql)" }.joined(separator: " OR ")
  }
}

extension RowMatch.Key {
  fileprivate var sql: String {
    switch self {
    case .shifted(let key, let distance):
      "= \(ColumnExpression.shifted(key, by: distance).sql)"
    case .listed(let key, let mapping):
      "IN (SELECT other FROM temp.by_source WHERE association = \(mapping) AND known = \(key.sql))"
    }
  }
}

/// The keys by which others are found in a list of associations; the value names its temporary table.
package enum AssociationOrder: String, Sendable {
  /// Those of source objects; ``RowMatch`` finds their objects.
  case source = "by_source"
  case object = "by_object"
}
