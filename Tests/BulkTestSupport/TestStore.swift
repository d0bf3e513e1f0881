internal import BulkSQLite
internal import Foundation

/// Makes small stores of models and objects that are written in code.
package struct TestStore {
  package var model: ManagedObjectModel
  /// The version of Core Data that the store says it was written by.
  package var frameworkVersion: Int64 = 1251
  /// The objects, and with them those that have no values and to which one of them leads.
  package var objects: [TestObject] = []
  /// The highest key ever given out, by root entity; the highest key in use where it is left out.
  package var highestKeys: [String: Int64] = [:]
  /// Relationships that name their join tables, where Core Data's choice cannot be foreseen.
  package var namingSides: [PropertyKey] = []
  package var applicationMetadata: [String: PropertyList] = [:]
  /// Whether the file is in WAL mode, closed properly.
  package var isInWriteAheadMode = false
  /// Statements that are run after all else.
  package var sql: [String] = []

  package static let uuid = "0B61C1D5-4D0C-4C9E-9E57-3D8E5B7E9A10"

  package init(_ model: ManagedObjectModel, _ objects: TestObject...) { self.init(model, objects) }

  package init(_ model: ManagedObjectModel, _ objects: [TestObject]) {
    self.model = model
    self.objects = objects
  }

  /// The schema while the store is written, which asks for it again and again.
  private var writtenSchema: StoreSchema?
  /// The objects while the store is written, by root entity and key.
  private var writtenObjects: [String: [Int64: TestObject]] = [:]

  package var schema: StoreSchema {
    writtenSchema
      ?? StoreSchema(
        model,
        naming: StoreNaming(owners: namingSides)
      )
  }

  /// Makes the store, in a file that is not there yet.
  package func write(to path: String) throws -> StoreFile {
    var store = self
    store.writtenSchema = schema
    for object in objects { store.keep(object) }
    for object in objects {
      for (name, members) in object.links.sorted(by: { $0.key < $1.key }) {
        let end = model.relationship(named: name, of: entity(object.entity))?.relationship
        guard let end = end?.destinationEntityName else { continue }
        let missing = members.map { TestObject(end, $0) }.filter { store.keep($0) }
        store.objects += missing
      }
    }
    return try store.writeFile(path)
  }

  /// Of several objects with a key the first is meant.
  @discardableResult
  private mutating func keep(_ object: TestObject) -> Bool {
    let root = model.root(of: entity(object.entity)).name
    guard writtenObjects[root]?[object.key] == nil else { return false }
    writtenObjects[root, default: [:]][object.key] = object
    return true
  }

  private func writeFile(_ path: String) throws -> StoreFile {
    let connection = try Connection(path: path, access: .readWrite)
    // No test cuts the power.
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute("PRAGMA page_size = 4096")
    try connection.execute("PRAGMA auto_vacuum = 2")
    try connection.execute("PRAGMA journal_mode = \(isInWriteAheadMode ? "WAL" : "DELETE")")
    try connection.execute("BEGIN")
    try createTables(connection)
    for object in objects { try insert(object, connection) }
    for object in objects { try link(object, connection) }
    for index in schema.indexes { try connection.execute(index.sql) }
    try insertKeys(connection)
    try insertMetadata(connection)
    for sql in schema.rTrees.flatMap(\.statements) { try connection.execute(sql) }
    let trees = schema.rTrees.flatMap(\.triggers)
    for trigger in schema.derivedAttributes.flatMap(\.triggers) + trees {
      try connection.execute(trigger.sql)
    }
    for statement in sql { try connection.execute(statement) }
    try connection.execute("COMMIT")
    return StoreFile(path)
  }

  /// Writes a model as Xcode compiles it, to a file whose name should end in `.mom`.
  package static func write(_ model: ManagedObjectModel, to path: String) throws {
    let archive = CompiledModelWriter.archive(of: model)
    try Data(archive).write(to: URL(fileURLWithPath: path))
  }

  private func createTables(_ connection: Connection) throws(SQLiteError) {
    for table in schema.entityTables { try connection.execute(SchemaSQL.create(table)) }
    for table in schema.joinTables { try connection.execute(SchemaSQL.create(table)) }
    try connection.execute(SchemaSQL.primaryKeyTable)
    try connection.execute(SchemaSQL.metadataTable)
    if keepsModel { try connection.execute(SchemaSQL.modelCacheTable) }
  }

  /// Stores of old versions of Core Data keep no model of themselves.
  private var keepsModel: Bool { frameworkVersion >= 637 }

  private func entity(_ name: String) -> EntityDescription {
    guard let entity = model.entity(named: name) else {
      preconditionFailure("the model has no entity \(name)")
    }
    return entity
  }

  // MARK: Objects

  private func insert(_ object: TestObject, _ connection: Connection) throws(SQLiteError) {
    let entity = entity(object.entity)
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var values: [SQLiteValue] = [
      .integer(object.key), .integer(schema.numbering.number(of: entity.name)),
      .integer(object.version),
    ]
    for (name, value) in object.values.sorted(by: { $0.key < $1.key }) {
      columns.append(column(of: name, in: entity))
      values.append(stored(value, name, in: entity))
    }
    try run(
      "INSERT INTO \(SQLText.quoted(schema.table(of: entity).name)) "
        + "(\(columns.map { SQLText.quoted($0) }.joined(separator: ", "))) "
        + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))",
      values,
      connection
    )
  }

  private func column(of attribute: String, in entity: EntityDescription) -> String {
    guard let column = schema.column(named: attribute, in: entity) else {
      preconditionFailure("entity \(entity.name) has no stored attribute \(attribute)")
    }
    return column
  }

  private func stored(
    _ value: AttributeValue,
    _ name: String,
    in entity: EntityDescription
  ) -> SQLiteValue {
    let attribute = model.attributes(of: entity).first { $0.name == name }
    if case .binary(let bytes) = value, attribute?.allowsExternalBinaryDataStorage == true {
      return .blob([1] + bytes)
    }
    return ColumnCoding.value(of: value)
  }

  // MARK: Relationships

  private func link(_ object: TestObject, _ connection: Connection) throws(SQLiteError) {
    for (name, members) in object.links.sorted(by: { $0.key < $1.key }) {
      guard let found = model.relationship(named: name, of: entity(object.entity)) else {
        preconditionFailure("entity \(object.entity) has no relationship \(name)")
      }
      let key = PropertyKey(found.owner.name, found.relationship.name)
      for (place, member) in members.enumerated() {
        try link(object, key, found.relationship, to: member, at: place, in: connection)
      }
    }
  }

  private func link(
    _ object: TestObject,
    _ key: PropertyKey,
    _ relationship: RelationshipDescription,
    to member: Int64,
    at place: Int,
    in connection: Connection
  ) throws(SQLiteError) {
    let order = SQLiteValue.integer(2048 + 1024 * Int64(place))
    let target = self.object(member, relationship.destinationEntityName)
    switch schema.storage(of: key) {
    case .foreignKey:
      try set(key, of: object, to: target, connection)
      if let inverse = model.inverse(of: relationship), !inverse.relationship.isToMany {
        let back = PropertyKey(inverse.owner.name, inverse.relationship.name)
        try set(back, of: target, to: object, connection)
      }
    case .inverse(let inverse, let orderColumn):
      try set(inverse, of: target, to: object, connection)
      if let orderColumn { try update(target, orderColumn, order, in: connection) }
    case .hiddenForeignKey(_, let column, let orderColumn):
      try update(target, column, .integer(object.key), in: connection)
      if let orderColumn { try update(target, orderColumn, order, in: connection) }
    case .join(let table, let isOwner):
      try join(table, object.key, member, isOwner: isOwner, at: order, in: connection)
    case nil: preconditionFailure("\(key) is not stored")
    }
  }

  private func object(_ key: Int64, _ entityName: String) -> TestObject {
    let root = model.root(of: entity(entityName)).name
    guard let found = writtenObjects[root]?[key] else {
      preconditionFailure("there is no object \(key) of \(root)")
    }
    return found
  }

  private func set(
    _ key: PropertyKey,
    of object: TestObject,
    to target: TestObject,
    _ connection: Connection
  ) throws(SQLiteError) {
    guard case .foreignKey(_, let column, let entityColumn) = schema.storage(of: key) else {
      preconditionFailure("\(key) is not a to-one relationship")
    }
    try update(object, column, .integer(target.key), in: connection)
    guard let entityColumn else { return }
    let number = schema.numbering.number(of: target.entity)
    try update(object, entityColumn, .integer(number), in: connection)
  }

  private func update(
    _ object: TestObject,
    _ column: String,
    _ value: SQLiteValue,
    in connection: Connection
  ) throws(SQLiteError) {
    let table = schema.table(of: entity(object.entity)).name
    try run(
      "UPDATE \(SQLText.quoted(table)) SET \(SQLText.quoted(column)) = ? WHERE Z_PK = ?",
      [value, .integer(object.key)],
      connection
    )
  }

  private func join(
    _ table: JoinTable,
    _ key: Int64,
    _ member: Int64,
    isOwner: Bool,
    at order: SQLiteValue,
    in connection: Connection
  ) throws(SQLiteError) {
    let pair: [SQLiteValue] = [
      .integer(isOwner ? key : member), .integer(isOwner ? member : key),
    ]
    let columns = [table.ownerColumn, table.memberColumn].map { SQLText.quoted($0) }
    let name = SQLText.quoted(table.name)
    try run(
      "INSERT OR IGNORE INTO \(name) (\(columns.joined(separator: ", "))) VALUES (?, ?)",
      pair,
      connection
    )
    guard let orderColumn = isOwner ? table.memberOrderColumn : table.ownerOrderColumn else {
      return
    }
    try run(
      "UPDATE \(name) SET \(SQLText.quoted(orderColumn)) = ? "
        + "WHERE \(columns[0]) = ? AND \(columns[1]) = ?",
      [order] + pair,
      connection
    )
  }

  // MARK: What every store has

  private func insertKeys(_ connection: Connection) throws(SQLiteError) {
    for entity in schema.numbering.entities {
      let keys = objects.filter { model.root(of: self.entity($0.entity)).name == entity.name }
        .map(\.key)
      let parent = entity.superentityName.map { schema.numbering.number(of: $0) } ?? 0
      try run(
        "INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)",
        [
          .integer(schema.numbering.number(of: entity.name)), .text(entity.name),
          .integer(parent), .integer(highestKeys[entity.name] ?? keys.max() ?? 0),
        ],
        connection
      )
    }
  }

  private func insertMetadata(_ connection: Connection) throws(SQLiteError) {
    let list = PropertyList.dictionary(metadata)
    try run(
      "INSERT INTO Z_METADATA VALUES (1, ?, ?)",
      [.text(Self.uuid), .blob(BinaryPropertyListWriter.write(list))],
      connection
    )
    guard keepsModel else { return }
    try run("INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(ModelCache.bytes(of: model))], connection)
  }

  private var metadata: [String: PropertyList] {
    let hashes = model.entityVersionHashesByName
    var result: [String: PropertyList] = [
      "NSStoreType": .string("SQLite"),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionHashes": .dictionary(hashes.mapValues { .data($0.bytes) }),
      "NSStoreModelVersionIdentifiers": .array([.string("")]),
      "NSPersistenceFrameworkVersion": .integer(frameworkVersion),
      "_NSAutoVacuumLevel": .string("2"),
    ]
    if frameworkVersion >= 973 {
      result["NSStoreModelVersionHashesDigest"] = .string(VersionHash.digest(of: hashes))
    }
    if frameworkVersion >= 1321 {
      result["NSStoreModelVersionChecksumKey"] = .string(VersionHash.checksum(of: hashes))
    }
    return result.merging(applicationMetadata) { $1 }
  }

  private func run(
    _ sql: String,
    _ values: [SQLiteValue],
    _ connection: Connection
  ) throws(SQLiteError) {
    let statement = try connection.prepare(sql)
    for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
    try statement.run()
  }
}
