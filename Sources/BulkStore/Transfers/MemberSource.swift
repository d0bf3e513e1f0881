internal import BulkSQLite

/// Where the objects of a to-many relationship are found.
package struct MemberSource: Hashable, Sendable {
  /// How the owner is known.
  package enum Way: Hashable, Sendable {
    /// By a column of the objects with the owner's key, and one with their places.
    case column(String, orderColumn: String?)
    /// By a table of pairs: its columns with the owner's key, the object's key and its place.
    case pairs(String, ownerColumn: String, memberColumn: String, orderColumn: String?)
  }

  /// The table of the objects.
  package let table: String
  /// How the owner is known.
  package let way: Way

  package init(_ table: String, _ way: Way) {
    self.table = table
    self.way = way
  }

  /// The rest of a SELECT of the objects of a row with a key, after the columns.
  ///
  /// - Parameters:
  ///   - key: The key, in SQL.
  ///   - alias: What the objects' table is called.
  /// - Returns: The part from FROM on, without an order.
  func sql(ofRow key: String, as alias: String) -> String {
    let members = "source.\(SQLText.quoted(table)) AS \(alias)"
    switch way {
    case .column(let column, _):
      return "FROM \(members) WHERE \(alias).\(SQLText.quoted(column)) = \(key)"
    case .pairs(let pairs, let owner, let member, _):
      return "FROM source.\(SQLText.quoted(pairs)) AS j CROSS JOIN \(members) "
        + "ON \(alias).Z_PK = j.\(SQLText.quoted(member)) WHERE j.\(SQLText.quoted(owner)) = \(key)"
    }
  }

  /// The order of the objects: by place where they have one, then by key.
  func orderSQL(as alias: String) -> String {
    let place =
      switch way {
      case .column(_, let order): order.map { "\(alias).\(SQLText.quoted($0))" }
      case .pairs(_, _, _, let order): order.map { "j.\(SQLText.quoted($0))" }
      }
    return "ORDER BY " + [place, "\(alias).Z_PK"].compactMap(\.self).joined(separator: ", ")
  }
}
