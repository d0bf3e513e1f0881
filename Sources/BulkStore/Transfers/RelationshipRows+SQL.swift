internal import BulkSQLite

extension RelationshipRows {
  /// The key of a near row's one far object: the one to which it refers, or the first of several.
  package var partnerKey: ColumnExpression {
    isInNearRow ? .column(farColumn) : .firstPartner(self)
  }

  /// A near row's position in the collection of its one far object; NULL if it has none.
  package var positionAtPartner: ColumnExpression {
    guard let nearPositionColumn else { return .null }
    return isInNearRow ? .column(nearPositionColumn) : .positionAtFirstPartner(self)
  }

  /// The key of the first far object of the near one with a key: the one with the first position, or with the
  /// lowest key without positions.
  func partnerSQL(ofRow key: String = "s.Z_PK") -> String { sql("partner", ofRow: key) }

  /// The place of the near object with a key in the collection of its first far object.
  func positionSQL(ofRow key: String = "s.Z_PK") -> String { sql("back", ofRow: key) }

  private func sql(_ column: String, ofRow key: String) -> String {
    // The directions are separate, so that an index finds the first pair of each without the others.
    let firsts = directions.map {
      "SELECT * FROM \(pairsSQL(in: "source.", ofRow: key, $0)) \(order)"
    }
    let found =
      firsts.count == 1
      ? firsts[0]
      : firsts.map { "SELECT * FROM (\($0))" }.joined(separator: " UNION ALL ") + " \(order)"
    return "(SELECT \(column) FROM (\(found)))"
  }

  private var order: String {
    "ORDER BY \(farPositionColumn == nil ? "" : "place, ")partner LIMIT 1"
  }

  private typealias Direction = (near: String, far: String)

  private var directions: [Direction] {
    [(nearColumn, farColumn)] + (isSymmetric ? [(farColumn, nearColumn)] : [])
  }

  /// The pairs as rows of `near` (the row's key), `partner`, `place` (the partner's position) and `back` (the row's own), of
  /// the row with a key or of all rows: a query in parentheses.
  private func pairsSQL(in schema: String, ofRow key: String?, _ direction: Direction) -> String {
    let near = "link.\(SQLText.quoted(direction.near))"
    let far = "link.\(SQLText.quoted(direction.far))"
    let position = farPositionColumn.map { "link.\(SQLText.quoted($0))" } ?? "NULL"
    let back = nearPositionColumn.map { "link.\(SQLText.quoted($0))" } ?? "NULL"
    return "(SELECT \(near) AS near, \(far) AS partner, \(position) AS place, \(back) AS back "
      + "FROM \(schema)\(SQLText.quoted(table)) AS link "
      + "WHERE \(key.map { "\(near) = \($0)" } ?? "\(near) IS NOT NULL") AND \(far) IS NOT NULL"
      + (farCondition(of: far, in: schema).map { " AND \($0)" } ?? "") + ")"
  }

  private func farCondition(of key: String, in schema: String) -> String? {
    farEntities.map {
      "EXISTS (SELECT 1 FROM \(schema)\(SQLText.quoted(farTable)) AS p WHERE p.Z_PK = \(key) "
        + "AND p.Z_ENT IN (\(ColumnExpression.list($0))))"
    }
  }

  /// The statement that counts the pairs that are lost where only the first partner counts; it reads the store
  /// itself.
  ///
  /// A partner may find its own first one, if a pair is only kept when each is the first of the other.
  func leftOutSQL(inverseLookup: RelationshipRows?) -> String {
    let isKept = inverseLookup == nil ? "rank = 1" : "rank = 1 AND rankOfRow = 1"
    // A pair that counts in both directions is one pair if it is kept in both or in none.
    let once = isSymmetric && inverseLookup != nil ? " WHERE near <= partner" : ""
    let back = inverseLookup?.farCondition(of: "pair.near", in: "").map { " WHERE \($0)" }
    let pairs = directions.map { "SELECT * FROM \(pairsSQL(in: "", ofRow: nil, $0))" }
      .joined(separator: " UNION ALL ")
    let rankOfRow =
      inverseLookup == nil
      ? "" : ", row_number() OVER (PARTITION BY partner ORDER BY back, near) AS rankOfRow"
    return "SELECT count(*) - ifnull(sum(\(isKept)), 0) FROM (SELECT near, partner, "
      + "row_number() OVER (PARTITION BY near ORDER BY place, partner) AS rank\(rankOfRow) "
      + "FROM (SELECT near, partner, min(place) AS place, min(back) AS back "
      + "FROM (\(pairs)) AS pair\(back ?? "") GROUP BY near, partner))\(once)"
  }
}

/// A choice of one partner among several.
package struct FirstPartner: Hashable, Sendable {
  package let lookup: RelationshipRows
  /// How a partner finds its own first one, if a pair is only kept when each is the first of the other.
  package let inverseLookup: RelationshipRows?

  package init(lookup: RelationshipRows, inverseLookup: RelationshipRows?) {
    self.lookup = lookup
    self.inverseLookup = inverseLookup
  }
}

extension RelationshipRows {
  /// The rest of a SELECT of the far objects of the near one with a key, from FROM on and without an order.
  func membersSQL(ofRow key: String, as alias: String) -> String {
    let members = "source.\(SQLText.quoted(farTable)) AS \(alias)"
    guard isJoinTable else {
      return "FROM \(members) WHERE \(alias).\(SQLText.quoted(nearColumn)) = \(key)"
    }
    let (far, near) = (SQLText.quoted(farColumn), "j.\(SQLText.quoted(nearColumn)) = \(key)")
    let pairs = isSymmetric ? bothDirectionsSQL(ofRow: key) : "source.\(SQLText.quoted(table))"
    return "FROM \(pairs) AS j CROSS JOIN \(members) ON \(alias).Z_PK = j.\(far)"
      + (isSymmetric ? "" : " WHERE \(near)")
  }

  /// The far objects of the near one with a key and their positions, each once, in columns named as those of the first
  /// direction: a query in parentheses.
  private func bothDirectionsSQL(ofRow key: String) -> String {
    let (near, far) = (SQLText.quoted(nearColumn), SQLText.quoted(farColumn))
    let pairs = "source.\(SQLText.quoted(table)) AS p"
    let position = farPositionColumn.map { ", \(SQLText.quoted($0))" }
    return "(SELECT \(far)\(position ?? "") FROM \(pairs) WHERE \(near) = \(key) "
      + "UNION ALL SELECT \(near)\(position == nil ? "" : ", NULL") FROM \(pairs) WHERE \(far) = \(key) "
      + "AND NOT EXISTS (SELECT 1 FROM source.\(SQLText.quoted(table)) AS w "
      + "WHERE w.\(near) = \(key) AND w.\(far) = p.\(near)))"
  }

  /// The order of the far objects: by position if they have one, then by key.
  func memberOrderSQL(as alias: String) -> String {
    let position = farPositionColumn.map { "\(isJoinTable ? "j" : alias).\(SQLText.quoted($0))" }
    return "ORDER BY " + [position, "\(alias).Z_PK"].compactMap(\.self).joined(separator: ", ")
  }
}
