package import BulkModel
internal import BulkSQLite

/// Sets relationships of single objects of the destination, on both sides as Core Data does.
package final class RelationshipWriter {
  private let connection: Connection
  private let schema: StoreSchema
  private var statements: [String: PreparedStatement] = [:]

  private struct KeyColumns {
    let table: String
    let key: String
    let entity: String?
    let place: String?

    /// All columns; they are NULL in an object without a partner.
    var all: [String] { [key, entity, place].compactMap(\.self) }
  }

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
    guard let storage = schema.storage(of: key) else { return false }
    switch storage {
    case .foreignKey(let table, let column, let entity):
      let place = schema.orderColumn(behindToOne: key)
      let columns = KeyColumns(table: table, key: column, entity: entity, place: place)
      let inverse = schema.model.inverseKey(of: key).flatMap { toOne($0) }
      try setPartner(members.first, columns, inverse, of: object)
    case .inverse(let inverse, let place):
      guard let columns = toOne(inverse, place: place) else { return true }
      try setMembers(members, columns, of: object)
    case .hiddenForeignKey(let table, let column, let place):
      let columns = KeyColumns(table: table, key: column, entity: nil, place: place)
      try setMembers(members, columns, of: object)
    case .join(let table, let isOwner):
      try setPairs(members, table, isOwner: isOwner, of: object.key)
    }
    return true
  }

  private func toOne(_ key: PropertyKey, place: String? = nil) -> KeyColumns? {
    guard case .foreignKey(let table, let column, let entity)? = schema.storage(of: key) else {
      return nil
    }
    return KeyColumns(table: table, key: column, entity: entity, place: place)
  }

  private func setPartner(
    _ partner: ObjectID?,
    _ columns: KeyColumns,
    _ inverse: KeyColumns?,
    of object: ObjectID
  ) throws(StoreError) {
    let former = try integer(
      "SELECT \(SQLText.quoted(columns.key)) FROM main.\(SQLText.quoted(columns.table)) "
        + "WHERE Z_PK = ?1",
      [.integer(object.key)]
    )
    if former == partner?.key { return }
    if let inverse {
      try clear(inverse, leadingTo: object.key)
      if let partner { try clear(columns, leadingTo: partner.key) }
    }
    guard let partner else { return try clear(columns, where: "Z_PK", is: object.key) }
    try set(columns, of: object.key, to: partner, place: lastPlace(columns, of: partner.key))
    if let inverse { try set(inverse, of: partner.key, to: object, place: nil) }
  }

  private func setMembers(
    _ members: [ObjectID],
    _ columns: KeyColumns,
    of owner: ObjectID
  ) throws(StoreError) {
    try clear(columns, leadingTo: owner.key)
    for (place, member) in members.enumerated() {
      try set(columns, of: member.key, to: owner, place: Self.place(place))
    }
  }

  private func setPairs(
    _ members: [ObjectID],
    _ table: JoinTable,
    isOwner: Bool,
    of key: Int64
  ) throws(StoreError) {
    let (near, far) =
      isOwner
      ? (table.ownerColumn, table.memberColumn) : (table.memberColumn, table.ownerColumn)
    let (place, nearPlace) =
      isOwner
      ? (table.memberOrderColumn, table.ownerOrderColumn)
      : (table.ownerOrderColumn, table.memberOrderColumn)
    let list = members.map { String($0.key) }.joined(separator: ", ")
    let name = "main.\(SQLText.quoted(table.name))"
    // Remaining pairs keep their place on the other side.
    try connection.execute(
      "DELETE FROM \(name) WHERE \(SQLText.quoted(near)) = \(key) "
        + "AND \(SQLText.quoted(far)) NOT IN (\(list))"
    )
    let isSelfInverse = table.owner == table.inverse
    if isSelfInverse {
      try connection.execute(
        "DELETE FROM \(name) WHERE \(SQLText.quoted(far)) = \(key) "
          + "AND \(SQLText.quoted(near)) NOT IN (\(list))"
      )
    }
    for (index, member) in members.enumerated() {
      try addPair(to: table, (near, key), (far, member.key), placedBy: nearPlace)
      if isSelfInverse { try addPair(to: table, (near, member.key), (far, key), placedBy: place) }
      guard let place else { continue }
      try run(
        "UPDATE \(name) SET \(SQLText.quoted(place)) = ?3 WHERE \(SQLText.quoted(near)) = ?1 "
          + "AND \(SQLText.quoted(far)) = ?2",
        [.integer(key), .integer(member.key), .integer(Self.place(index))]
      )
    }
  }

  /// Adds a pair unless it exists; the object goes to the end of an ordered relationship.
  private func addPair(
    to table: JoinTable,
    _ object: (column: String, key: Int64),
    _ other: (column: String, key: Int64),
    placedBy place: String?
  ) throws(StoreError) {
    let (near, far) = (object.column, other.column)
    let name = "main.\(SQLText.quoted(table.name))"
    var columns = [near, far]
    var values = ["?1", "?2"]
    if let place {
      let owner = table.owner == table.inverse ? near : far
      columns.append(place)
      values.append(
        "(SELECT \(MemberOrdering.nextSQL(after: "max(\(SQLText.quoted(place)))")) FROM \(name) "
          + "WHERE \(SQLText.quoted(owner)) = \(owner == near ? "?1" : "?2"))"
      )
    }
    try run(
      "INSERT OR IGNORE INTO \(name) (\(columns.map { SQLText.quoted($0) }.joined(separator: ", "))) "
        + "VALUES (\(values.joined(separator: ", ")))",
      [.integer(object.key), .integer(other.key)]
    )
  }

  private func clear(_ columns: KeyColumns, leadingTo key: Int64) throws(StoreError) {
    try clear(columns, where: columns.key, is: key)
  }

  private func clear(
    _ columns: KeyColumns,
    where column: String,
    is key: Int64
  ) throws(StoreError) {
    let setters = columns.all.map { "\(SQLText.quoted($0)) = NULL" }.joined(separator: ", ")
    try run(
      "UPDATE main.\(SQLText.quoted(columns.table)) SET \(setters) "
        + "WHERE \(SQLText.quoted(column)) = ?1",
      [.integer(key)]
    )
  }

  private func set(
    _ columns: KeyColumns,
    of key: Int64,
    to partner: ObjectID,
    place: Int64?
  ) throws(StoreError) {
    var values: [SQLiteValue] = [.integer(partner.key)]
    if columns.entity != nil {
      values.append(.integer(schema.numbering.number(of: partner.entityName)))
    }
    if columns.place != nil { values.append(place.map { .integer($0) } ?? .null) }
    let setters = columns.all.enumerated().map { "\(SQLText.quoted($1)) = ?\($0 + 2)" }
    try run(
      "UPDATE main.\(SQLText.quoted(columns.table)) SET \(setters.joined(separator: ", ")) "
        + "WHERE Z_PK = ?1",
      [.integer(key)] + values
    )
  }

  /// The place after all members of an owner; `nil` if they have none.
  private func lastPlace(_ columns: KeyColumns, of owner: Int64) throws(StoreError) -> Int64? {
    guard let place = columns.place else { return nil }
    let last = try integer(
      "SELECT max(\(SQLText.quoted(place))) FROM main.\(SQLText.quoted(columns.table)) "
        + "WHERE \(SQLText.quoted(columns.key)) = ?1",
      [.integer(owner)]
    )
    return last.map { MemberOrdering.place(after: $0) } ?? MemberOrdering.first
  }

  private static func place(_ index: Int) -> Int64 {
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
