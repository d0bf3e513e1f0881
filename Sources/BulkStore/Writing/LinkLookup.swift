internal import BulkSQLite

/// Finds the partners of a row along a relationship whose pairs lie in the rows of another table.
package struct LinkLookup: Hashable, Sendable {
  /// The table with the pairs.
  package let table: String
  /// Its column with the key of the row that is asked for.
  package let keyColumn: String
  /// Its column with the partner's key.
  package let partnerColumn: String
  /// Its column with the partner's place, where the relationship is ordered.
  package let orderColumn: String?
  /// Its column with the place of the row that is asked for, where the inverse is ordered.
  package let placeColumn: String?

  package init(
    table: String,
    keyColumn: String,
    partnerColumn: String,
    orderColumn: String?,
    placeColumn: String? = nil
  ) {
    self.table = table
    self.keyColumn = keyColumn
    self.partnerColumn = partnerColumn
    self.orderColumn = orderColumn
    self.placeColumn = placeColumn
  }

  /// A column of the pair with the first partner of the row with a key: the one with the first place,
  /// or with the lowest key where there are no places.
  func sql(_ column: String, ofRow key: String = "s.Z_PK") -> String {
    let order = [orderColumn, partnerColumn].compactMap(\.self).map { SQLText.quoted($0) }
    return "(SELECT \(SQLText.quoted(column)) FROM source.\(SQLText.quoted(table)) "
      + "WHERE \(SQLText.quoted(keyColumn)) = \(key) AND \(SQLText.quoted(partnerColumn)) "
      + "IS NOT NULL ORDER BY \(order.joined(separator: ", ")) LIMIT 1)"
  }
}
