internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// Changes values in a copy of a store; nothing of its schema is executed that a run would not execute.
final class SourceCorrection {
  private let session: StoreSession
  private let schema: StoreSchema
  /// The functions that a run refuses by which tables compute columns, by table.
  private var refused: [String: String] = [:]

  /// Opens a copy of a store, and drops the indexes that compute by functions that a run refuses.
  init(_ path: String, _ schema: StoreSchema) throws(StoreError) {
    session = try StoreSession(
      path: path,
      pageSize: 4096,
      caches: StoreSession.CacheSizes(destination: 2_048, source: 512)
    )
    self.schema = schema
    let (file, trial) = try (FileSchema(session.connection), StoreSession(inMemoryFor: path))
    for table in file.tables {
      do throws(StoreError) {
        try trial.connection.execute(foreign: table.sql, table.hasHiddenColumns ? .linear : .any)
      } catch {
        refused[table.name] = error.refusedFunction
      }
    }
    for index in file.objects where index.kind == .index {
      do throws(StoreError) {
        try trial.connection.execute(foreign: index.sql)
      } catch {
        guard error.refusedFunction != nil else { continue }
        try StoreBuilder(session).create("DROP INDEX main.\(SQLText.quoted(index.name))")
      }
    }
  }

  /// All values or none are in the copy afterwards.
  func transaction(_ body: () throws -> Void) throws {
    try session.transactions.batch(body)
  }

  /// Returns why nothing was set, as a clause.
  func set(
    _ value: AttributeValue,
    for attribute: String,
    of entity: String,
    key: Int64
  ) throws(StoreError) -> String? {
    guard let found = schema.model.entity(named: entity),
      let (owner, description) = schema.model.leaf(named: attribute, of: found),
      let column = schema.column(.attribute(PropertyKey(owner.name, attribute)))
    else { return Self.lacks(attribute, entity) }
    return try set([(column, ColumnCoding.value(of: value, in: description))], in: found, key)
  }

  private static func lacks(_ property: String, _ entity: String) -> String {
    "\(entity) has no attribute or to-one relationship \(property)"
  }

  /// Sets the object of a to-one relationship whose inverse is to-many without an order, or missing; returns why
  /// nothing was set, as a clause.
  func set(
    _ target: Int64?,
    to relationship: String,
    of entity: String,
    key: Int64
  ) throws(StoreError) -> String? {
    guard let found = schema.model.entity(named: entity),
      let (owner, description) = schema.model.relationship(named: relationship, of: found),
      let column = schema.column(.foreignKey(PropertyKey(owner.name, relationship)))
    else { return Self.lacks(relationship, entity) }
    let name = PropertyKey(owner.name, relationship)
    let isSingle = schema.model.inverse(of: description).map { !$0.relationship.isToMany }
    guard isSingle != true, schema.orderColumn(behindToOne: name) == nil else {
      return
        "\(relationship) cannot be corrected here, because the object at its other end leads back to one object or "
        + "in an order; correct the source itself and plan again"
    }
    var number: Int64?
    if let target {
      number = try entityNumber(of: target, for: description)
      guard number != nil else {
        return
          "the object to which \(relationship) leads is not in the source, or not of the relationship's entity"
      }
    }
    var values = [(column, target.map(SQLiteValue.integer) ?? .null)]
    if let other = schema.column(.foreignEntity(name)) {
      values.append((other, number.map(SQLiteValue.integer) ?? .null))
    }
    return try set(values, in: found, key)
  }

  /// `nil` if the object does not exist, or the relationship may not lead to it.
  private func entityNumber(
    of key: Int64,
    for relationship: RelationshipDescription
  ) throws(StoreError) -> Int64? {
    guard let target = schema.model.entity(named: relationship.destinationEntityName) else {
      return nil
    }
    let allowed = schema.model.hierarchy(from: target).map { schema.numbering.number(of: $0.name) }
    let statement = try session.prepare(
      "SELECT Z_ENT FROM main.\(SQLText.quoted(schema.table(of: target).name)) WHERE Z_PK = ?1"
    )
    try statement.bind(.integer(key), at: 1)
    let number = try statement.step() ? statement.int64(at: 0) : nil
    return number.flatMap { allowed.contains($0) ? $0 : nil }
  }

  private func set(
    _ values: [(column: String, value: SQLiteValue)],
    in entity: EntityDescription,
    _ key: Int64
  ) throws(StoreError) -> String? {
    let name = schema.table(of: entity).name
    if let function = refused[name] {
      return
        "\(name) computes a column by \(function)(), which may take any time and memory; correct the source itself and "
        + "plan again"
    }
    let table = SQLText.quoted(name)
    let changes = values.enumerated().map { "\(SQLText.quoted($1.column)) = ?\($0 + 2)" }
    let statement = try session.prepare(
      "UPDATE main.\(table) SET \(changes.joined(separator: ", ")) WHERE Z_PK = ?1"
    )
    try statement.bind(.integer(key), at: 1)
    for (index, value) in values.enumerated() {
      try statement.bind(value.value, at: Int32(index + 2))
    }
    try statement.run()
    return nil
  }
}
