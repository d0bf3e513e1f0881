internal import BulkStore

/// A source object from which perhaps no object is made that a relationship could hold.
struct DoubtfulPartner {
  /// The key of its row.
  let key: ColumnExpression
  /// The table of its row.
  let table: String
  /// The numbers of entities read by mappings other than those that fill the relationship.
  let overlooked: [Int64]

  /// The number of its entity; NULL without such a row.
  var entityNumber: ColumnExpression { .entityNumber(ofRowIn: table, key: key) }
}
