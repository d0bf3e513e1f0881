package import BulkModel
internal import BulkSQLite

/// Sets relationships of single objects of the destination, on both sides as Core Data does.
package final class RelationshipWriter {
  private let connection: Connection
  private let schema: StoreSchema
  private var statements: [String: PreparedStatement] = [:]

  /// A statement that stays ready.
  private final class PreparedStatement {
    let statement: Statement

    init(_ statement: consuming Statement) { self.statement = statement }
  }

  init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    self.schema = schema
  }

  /// Lets a relationship of an object lead to some objects and to no others.
  ///
  /// - Parameters:
  ///   - members: The objects, in order; of a to-one relationship the first counts.
  ///   - name: The relationship.
  ///   - object: The object.
  /// - Returns: Whether the object's entity stores such a relationship.
  /// - Throws: ``StoreError`` if the destination cannot be written.
  package func set(
    _ members: [ObjectID],
    for name: String,
    of object: ObjectID
  ) throws(StoreError) -> Bool {
    guard
      let entity = schema.model.entity(named: object.entityName),
      let found = schema.model.relationship(named: name, of: entity),
      let storage = schema.storage(of: PropertyKey(found.owner.name, name))
    else { return false }
    try StoreError.sqlite { () throws(SQLiteError) in
      switch storage {
      case .foreignKey(let table, let column, let entityColumn):
        try setKey(table, column, entityColumn, of: object.key, to: members.first)
      case .inverse(let inverse, let order):
        guard
          case .foreignKey(let table, let column, let entityColumn)? = schema.storage(of: inverse)
        else { return }
        try setMembers(members, table, column, entityColumn, order, of: object)
      case .hiddenForeignKey(let table, let column, let order):
        try setMembers(members, table, column, nil, order, of: object)
      case .join(let table, let isOwner): try setPairs(members, table, isOwner, of: object.key)
      }
    }
    return true
  }

  private func setKey(
    _ table: String,
    _ column: String,
    _ entityColumn: String?,
    of key: Int64,
    to member: ObjectID?
  ) throws(SQLiteError) {
    let number = member.map { SQLiteValue.integer(schema.numbering.number(of: $0.entityName)) }
    var columns = ["\(SQLText.quoted(column)) = ?1"]
    var values = [member.map { SQLiteValue.integer($0.key) } ?? .null]
    if let entityColumn {
      columns.append("\(SQLText.quoted(entityColumn)) = ?2")
      values.append(number ?? .null)
    }
    try run(
      "UPDATE main.\(SQLText.quoted(table)) SET \(columns.joined(separator: ", ")) "
        + "WHERE Z_PK = ?\(values.count + 1)",
      values + [.integer(key)]
    )
  }

  private func setMembers(
    _ members: [ObjectID],
    _ table: String,
    _ column: String,
    _ entityColumn: String?,
    _ order: String?,
    of owner: ObjectID
  ) throws(SQLiteError) {
    let name = SQLText.quoted(column)
    try run(
      "UPDATE main.\(SQLText.quoted(table)) SET \(name) = NULL WHERE \(name) = ?1",
      [.integer(owner.key)]
    )
    for (place, member) in members.enumerated() {
      try setKey(table, column, entityColumn, of: member.key, to: owner)
      guard let order else { continue }
      try run(
        "UPDATE main.\(SQLText.quoted(table)) SET \(SQLText.quoted(order)) = ?1 WHERE Z_PK = ?2",
        [.integer(Self.place(place)), .integer(member.key)]
      )
    }
  }

  private func setPairs(
    _ members: [ObjectID],
    _ table: JoinTable,
    _ isOwner: Bool,
    of key: Int64
  ) throws(SQLiteError) {
    let name = SQLText.quoted(table.name)
    let near = SQLText.quoted(isOwner ? table.ownerColumn : table.memberColumn)
    let far = SQLText.quoted(isOwner ? table.memberColumn : table.ownerColumn)
    try run("DELETE FROM main.\(name) WHERE \(near) = ?1", [.integer(key)])
    let order = isOwner ? table.memberOrderColumn : table.ownerOrderColumn
    let place = order.map { ", \(SQLText.quoted($0))" } ?? ""
    let sql =
      "INSERT OR IGNORE INTO main.\(name) (\(near), \(far)\(place)) "
      + "VALUES (?1, ?2\(order == nil ? "" : ", ?3"))"
    for (index, member) in members.enumerated() {
      let pair: [SQLiteValue] = [.integer(key), .integer(member.key)]
      try run(sql, pair + (order == nil ? [] : [.integer(Self.place(index))]))
    }
  }

  private static func place(_ index: Int) -> Int64 {
    MemberOrdering.first + MemberOrdering.step * Int64(index)
  }

  private func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    let prepared: PreparedStatement
    if let known = statements[sql] {
      prepared = known
    } else {
      prepared = PreparedStatement(try connection.prepare(sql))
      statements[sql] = prepared
    }
    for (index, value) in values.enumerated() {
      try prepared.statement.bind(value, at: Int32(index) + 1)
    }
    try prepared.statement.run()
  }
}

extension StoreWriter {
  /// What sets relationships of single objects.
  package func relationshipWriter(of schema: StoreSchema) -> RelationshipWriter {
    RelationshipWriter(connection, schema)
  }
}
