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
  /// The partners that count; `nil` where all do.
  package let partners: Partners?
  /// Whether a pair holds in both directions, whichever is stored.
  ///
  /// A place is then that of either object among those of the other.
  package let isSymmetric: Bool

  /// Rows of some entities.
  package struct Partners: Hashable, Sendable {
    /// The table of the rows.
    package let table: String
    /// The numbers of their entities.
    package let entities: [Int64]

    package init(_ table: String, _ entities: [Int64]) {
      self.table = table
      self.entities = entities
    }
  }

  package init(
    table: String,
    keyColumn: String,
    partnerColumn: String,
    orderColumn: String?,
    placeColumn: String? = nil,
    partners: Partners? = nil,
    isSymmetric: Bool = false
  ) {
    self.table = table
    self.keyColumn = keyColumn
    self.partnerColumn = partnerColumn
    self.orderColumn = orderColumn
    self.placeColumn = placeColumn
    self.partners = partners
    self.isSymmetric = isSymmetric
  }

  /// The same way to partners of some entities only.
  package func among(_ partners: Partners) -> LinkLookup {
    LinkLookup(
      table: table,
      keyColumn: keyColumn,
      partnerColumn: partnerColumn,
      orderColumn: orderColumn,
      placeColumn: placeColumn,
      partners: partners,
      isSymmetric: isSymmetric
    )
  }

  /// The same pairs, which hold in both directions.
  package var symmetric: LinkLookup {
    LinkLookup(
      table: table,
      keyColumn: keyColumn,
      partnerColumn: partnerColumn,
      orderColumn: orderColumn ?? placeColumn,
      placeColumn: orderColumn ?? placeColumn,
      partners: partners,
      isSymmetric: true
    )
  }
}

extension LinkLookup {
  /// The key of the first partner of the row with a key: the one with the first place, or with the
  /// lowest key where there are no places.
  func partnerSQL(ofRow key: String = "s.Z_PK") -> String { sql("partner", ofRow: key) }

  /// The place of the row with a key among those of its first partner.
  func placeSQL(ofRow key: String = "s.Z_PK") -> String { sql("back", ofRow: key) }

  private func sql(_ column: String, ofRow key: String) -> String {
    // Each direction by itself, so that an index gives its first pair without the others.
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
    "ORDER BY \(orderColumn == nil ? "" : "place, ")partner LIMIT 1"
  }

  /// The columns of the row's key and of the partner's.
  private struct Direction {
    let near: String
    let far: String
  }

  private var directions: [Direction] {
    let stored = Direction(near: keyColumn, far: partnerColumn)
    return isSymmetric ? [stored, Direction(near: partnerColumn, far: keyColumn)] : [stored]
  }

  /// The pairs as rows of `near` (the row's key), `partner`, `place` (the partner's) and `back` (the row's
  /// own).
  ///
  /// - Parameters:
  ///   - schema: What stands before the names of tables.
  ///   - key: The key of the row whose pairs are meant; those of all rows without it.
  ///   - direction: The columns of the keys.
  /// - Returns: A query in brackets.
  private func pairsSQL(in schema: String, ofRow key: String?, _ direction: Direction) -> String {
    let near = "link.\(SQLText.quoted(direction.near))"
    let far = "link.\(SQLText.quoted(direction.far))"
    let place = orderColumn.map { "link.\(SQLText.quoted($0))" } ?? "NULL"
    let back = placeColumn.map { "link.\(SQLText.quoted($0))" } ?? "NULL"
    return "(SELECT \(near) AS near, \(far) AS partner, \(place) AS place, \(back) AS back "
      + "FROM \(schema)\(SQLText.quoted(table)) AS link "
      + "WHERE \(key.map { "\(near) = \($0)" } ?? "\(near) IS NOT NULL") AND \(far) IS NOT NULL"
      + (partners.map { " AND \(Self.condition($0, of: far, in: schema))" } ?? "") + ")"
  }

  private static func condition(_ rows: Partners, of key: String, in schema: String) -> String {
    "EXISTS (SELECT 1 FROM \(schema)\(SQLText.quoted(rows.table)) AS p WHERE p.Z_PK = \(key) "
      + "AND p.Z_ENT IN (\(ColumnExpression.list(rows.entities))))"
  }
}

extension LinkLookup {
  /// The statement that counts the pairs that are not kept where only the first partner counts.
  ///
  /// - Parameter wayBack: How a partner finds its own first one, where a pair is only kept if each is
  ///   the first of the other.
  /// - Returns: The statement, which reads the store itself.
  func leftOutSQL(wayBack: LinkLookup?) -> String {
    let isKept = wayBack == nil ? "rank = 1" : "rank = 1 AND rankOfRow = 1"
    // A pair that holds in both directions is one pair if it is kept in both or in none.
    let once = isSymmetric && wayBack != nil ? " WHERE near <= partner" : ""
    let back = wayBack?.partners.map { " WHERE \(Self.condition($0, of: "pair.near", in: ""))" }
    let pairs = directions.map { "SELECT * FROM \(pairsSQL(in: "", ofRow: nil, $0))" }
      .joined(separator: " UNION ALL ")
    let rankOfRow =
      wayBack == nil
      ? "" : ", row_number() OVER (PARTITION BY partner ORDER BY back, near) AS rankOfRow"
    return "SELECT count(*) - ifnull(sum(\(isKept)), 0) FROM (SELECT near, partner, "
      + "row_number() OVER (PARTITION BY near ORDER BY place, partner) AS rank\(rankOfRow) "
      + "FROM (SELECT near, partner, min(place) AS place, min(back) AS back "
      + "FROM (\(pairs)) AS pair\(back ?? "") GROUP BY near, partner))\(once)"
  }
}
