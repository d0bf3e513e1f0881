internal import BulkSQLite

extension RelationshipRows {
  /// The rest of a SELECT of the far objects of the near one with a key, after the columns.
  ///
  /// - Parameters:
  ///   - key: The key, in SQL.
  ///   - alias: The name of the objects' table.
  /// - Returns: The part from FROM on, without an order.
  func membersSQL(ofRow key: String, as alias: String) -> String {
    let members = "source.\(SQLText.quoted(farTable)) AS \(alias)"
    guard isJoinTable else {
      return "FROM \(members) WHERE \(alias).\(SQLText.quoted(nearColumn)) = \(key)"
    }
    return "FROM source.\(SQLText.quoted(table)) AS j CROSS JOIN \(members) "
      + "ON \(alias).Z_PK = j.\(SQLText.quoted(farColumn)) "
      + "WHERE j.\(SQLText.quoted(nearColumn)) = \(key)"
  }

  /// The order of the far objects: by place if they have one, then by key.
  func memberOrderSQL(as alias: String) -> String {
    let place = farPlaceColumn.map { "\(isJoinTable ? "j" : alias).\(SQLText.quoted($0))" }
    return "ORDER BY " + [place, "\(alias).Z_PK"].compactMap(\.self).joined(separator: ", ")
  }
}
