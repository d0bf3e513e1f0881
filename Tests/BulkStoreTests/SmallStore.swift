import BulkCoding
import BulkModel
import BulkSQLite
import BulkStore
import BulkTestSupport

/// A store of a model, made with plain statements so that it can be made wrong on purpose.
struct SmallStore {
  let path: String
  let schema: StoreSchema
  let connection: Connection

  /// A store without rows; `altering` may change each statement that makes a table.
  init(
    at path: String,
    of entities: [EntityDescription],
    altering: (String) -> String = { $0 }
  ) throws {
    self.path = path
    let model = try ManagedObjectModel(entities: entities)
    schema = StoreSchema(model)
    connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    for table in schema.entityTables { try connection.execute(altering(SchemaSQL.create(table))) }
    for table in schema.joinTables { try connection.execute(altering(SchemaSQL.create(table))) }
    for index in schema.indexes { try connection.execute(index.sql) }
    try connection.execute(SchemaSQL.primaryKeyTable)
    try connection.execute(SchemaSQL.metadataTable)
    let numbering = schema.numbering
    for entity in numbering.entities {
      let row =
        [
          .integer(numbering.number(of: entity.name)), .text(entity.name),
          .integer(entity.superentityName.map { numbering.number(of: $0) } ?? 0), .integer(0),
        ] as [SQLiteValue]
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY VALUES (\(row.map(\.literal).joined(separator: ", ")))"
      )
    }
    let entries: [String: PropertyList] = [
      "NSStoreModelVersionHashes": .dictionary([:]),
      "NSPersistenceFrameworkVersion": .integer(1251),
    ]
    let plist = StoreMetadata(uuid: "X", entries: entries).propertyListBytes
    try connection.execute(
      "INSERT INTO Z_METADATA VALUES (1, 'X', \(SQLiteValue.blob(plist).literal))"
    )
  }
}
