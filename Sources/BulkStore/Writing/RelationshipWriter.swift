package import BulkModel
internal import BulkSQLite

/// Sets relationships of single objects of the destination, on both sides as Core Data does.
package final class RelationshipWriter {
  private let connection: Connection
  private let schema: StoreSchema
  private var statements: [String: PreparedStatement] = [:]

  package init(_ schema: StoreSchema, _ session: StoreSession) {
    connection = session.connection
    self.schema = schema
  }

  /// Sets all members of a relationship of an object, in order; a to-one relationship takes the
  /// first.
  ///
  /// Returns whether the object's entity stores such a relationship.
  package func set(
    _ members: [ObjectID],
    for name: String,
    of object: ObjectID
  ) throws(StoreError) -> Bool {
    guard
      let entity = schema.model.entity(named: object.entityName),
      let found = schema.model.relationship(named: name, of: entity)
    else { return false }
    let key = PropertyKey(found.owner.name, name)
    guard let rows = schema.rows(of: key) else { return false }
    if rows.isJoinTable {
      try setPairs(members, rows, of: object.key)
    } else if rows.isInNearRow {
      let inverse = schema.model.inverseKey(of: key).flatMap { schema.rows(of: $0) }
      try setPartner(members.first, rows, inverse.flatMap { $0.isInNearRow ? $0 : nil }, of: object)
    } else {
      try setMembers(members, rows.reversed, of: object)
    }
    return true
  }

  private func setPartner(
    _ partner: ObjectID?,
    _ columns: RelationshipRows,
    _ inverse: RelationshipRows?,
    of object: ObjectID
  ) throws(StoreError) {
    let former = try integer(
      "SELECT \(SQLText.quoted(columns.farColumn)) FROM main.\(SQLText.quoted(columns.table)) "
        + "WHERE Z_PK = ?1",
      [.integer(object.key)]
    )
    if former == partner?.key { return }
    if let inverse {
      try clear(inverse, leadingTo: object.key)
      if let partner { try clear(columns, leadingTo: partner.key) }
    }
    guard let partner else { return try clear(columns, where: "Z_PK", is: object.key) }
    try set(columns, of: object.key, to: partner, position: lastPosition(columns, of: partner.key))
    if let inverse { try set(inverse, of: partner.key, to: object, position: nil) }
  }

  private func setMembers(
    _ members: [ObjectID],
    _ columns: RelationshipRows,
    of owner: ObjectID
  ) throws(StoreError) {
    try clear(columns, leadingTo: owner.key)
    for (position, member) in members.enumerated() {
      try set(columns, of: member.key, to: owner, position: Self.position(position))
    }
  }

  private func setPairs(
    _ members: [ObjectID],
    _ rows: RelationshipRows,
    of key: Int64
  ) throws(StoreError) {
    let (near, far) = (rows.nearColumn, rows.farColumn)
    let list = members.map { String($0.key) }.joined(separator: ", ")
    let name = "main.\(SQLText.quoted(rows.table))"
    // Remaining pairs keep their position on the other side.
    try connection.execute(
      "DELETE FROM \(name) WHERE \(SQLText.quoted(near)) = \(key) "
        + "AND \(SQLText.quoted(far)) NOT IN (\(list))"
    )
    if rows.isSymmetric {
      try connection.execute(
        "DELETE FROM \(name) WHERE \(SQLText.quoted(far)) = \(key) "
          + "AND \(SQLText.quoted(near)) NOT IN (\(list))"
      )
    }
    for (index, member) in members.enumerated() {
      try addPair(to: rows, key, member.key, orderedBy: rows.nearPositionColumn)
      if rows.isSymmetric {
        try addPair(to: rows, member.key, key, orderedBy: rows.farPositionColumn)
      }
      guard let position = rows.farPositionColumn else { continue }
      try run(
        "UPDATE \(name) SET \(SQLText.quoted(position)) = ?3 WHERE \(SQLText.quoted(near)) = ?1 "
          + "AND \(SQLText.quoted(far)) = ?2",
        [.integer(key), .integer(member.key), .integer(Self.position(index))]
      )
    }
  }

  /// Adds a pair unless it exists; the object goes to the end of an ordered relationship.
  private func addPair(
    to rows: RelationshipRows,
    _ object: Int64,
    _ other: Int64,
    orderedBy position: String?
  ) throws(StoreError) {
    let (near, far) = (rows.nearColumn, rows.farColumn)
    let name = "main.\(SQLText.quoted(rows.table))"
    var columns = [near, far]
    var values = ["?1", "?2"]
    if let position {
      let owner = rows.isSymmetric ? near : far
      columns.append(position)
      values.append(
        "(SELECT \(MemberOrdering.nextSQL(after: "max(\(SQLText.quoted(position)))")) FROM \(name) "
          + "WHERE \(SQLText.quoted(owner)) = \(owner == near ? "?1" : "?2"))"
      )
    }
    try run(
      "INSERT OR IGNORE INTO \(name) (\(columns.map { SQLText.quoted($0) }.joined(separator: ", "))) "
        + "VALUES (\(values.joined(separator: ", ")))",
      [.integer(object), .integer(other)]
    )
  }

  private func clear(_ columns: RelationshipRows, leadingTo key: Int64) throws(StoreError) {
    try clear(columns, where: columns.farColumn, is: key)
  }

  private func clear(
    _ columns: RelationshipRows,
    where column: String,
    is key: Int64
  ) throws(StoreError) {
    let setters = columns.nearColumns.map { "\(SQLText.quoted($0)) = NULL" }.joined(separator: ", ")
    try run(
      "UPDATE main.\(SQLText.quoted(columns.table)) SET \(setters) "
        + "WHERE \(SQLText.quoted(column)) = ?1",
      [.integer(key)]
    )
  }

  private func set(
    _ columns: RelationshipRows,
    of key: Int64,
    to partner: ObjectID,
    position: Int64?
  ) throws(StoreError) {
    var values: [SQLiteValue] = [.integer(partner.key)]
    if columns.farEntityColumn != nil {
      values.append(.integer(schema.numbering.number(of: partner.entityName)))
    }
    if columns.nearPositionColumn != nil { values.append(position.map { .integer($0) } ?? .null) }
    let setters = columns.nearColumns.enumerated().map { "\(SQLText.quoted($1)) = ?\($0 + 2)" }
    try run(
      "UPDATE main.\(SQLText.quoted(columns.table)) SET \(setters.joined(separator: ", ")) "
        + "WHERE Z_PK = ?1",
      [.integer(key)] + values
    )
  }

  /// The position after all members of an owner; `nil` if they have none.
  private func lastPosition(
    _ columns: RelationshipRows,
    of owner: Int64
  ) throws(StoreError) -> Int64? {
    guard let position = columns.nearPositionColumn else { return nil }
    let last = try integer(
      "SELECT max(\(SQLText.quoted(position))) FROM main.\(SQLText.quoted(columns.table)) "
        + "WHERE \(SQLText.quoted(columns.farColumn)) = ?1",
      [.integer(owner)]
    )
    return last.map { MemberOrdering.position(after: $0) } ?? MemberOrdering.first
  }

  private static func position(_ index: Int) -> Int64 {
    MemberOrdering.first + MemberOrdering.step * Int64(index)
  }

  private func run(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) {
    try prepared(sql).run(values)
  }

  private func integer(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) -> Int64? {
    try prepared(sql).integer(values)
  }

  private func prepared(_ sql: String) throws(StoreError) -> PreparedStatement {
    if let known = statements[sql] { return known }
    let statement = try PreparedStatement(sql, connection)
    statements[sql] = statement
    return statement
  }
}

extension RelationshipRows {
  /// The columns of the near object's row, which are NULL in an object without a partner.
  fileprivate var nearColumns: [String] {
    [farColumn, farEntityColumn, nearPositionColumn].compactMap(\.self)
  }
}
