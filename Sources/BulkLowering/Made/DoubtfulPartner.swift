internal import BulkStore

/// A source object of which perhaps nothing is made that a relationship could hold.
struct DoubtfulPartner {
  /// The key of its row.
  let key: ColumnExpression
  /// The table of its row.
  let table: String
  /// The entities whose objects other mappings read than those that fill the relationship, by number.
  let overlooked: [Int64]

  /// The number of its entity; NULL where there is no such row.
  var entityNumber: ColumnExpression { .entityNumber(ofRowIn: table, key: key) }
}
