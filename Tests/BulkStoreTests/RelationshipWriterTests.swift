import BulkTestSupport
import Testing

struct RelationshipWriterTests {
  @Test(
    arguments: [
      (nil, 2048), (2048, 3072), (Int64.max - 5, Int64.max), (Int64.max, Int64.max),
    ] as [(Int64?, Int64)]
  )
  func `an object goes behind the last one, at most to the greatest place`(
    last: Int64?,
    position: Int64
  ) throws {
    let directory = TemporaryDirectory()
    let path = directory.path("destination.sqlite")
    let schema = StoreSchema(
      try ManagedObjectModel(entities: [
        .init("Note", [], [.toMany("tags", "Tag.notes")]),
        .init("Tag", [], [.toMany("notes", "Note.tags", isOrdered: true)]),
      ])
    )
    let session = try StoreSession(path)
    let builder = StoreBuilder(session)
    for table in schema.joinTables { try builder.create(SchemaSQL.create(table)) }
    let table = try #require(schema.joinTables.first)
    let column = try #require(table.ownerOrderColumn ?? table.memberOrderColumn)
    if let last {
      try builder.create(
        "INSERT INTO \(table.name) (Z_1NOTES, Z_2TAGS, \(column)) VALUES (4, 9, \(last))"
      )
    }
    let writer = RelationshipWriter(schema, session)
    let note = ObjectID(entityName: "Note", key: 5)
    #expect(try writer.set([ObjectID(entityName: "Tag", key: 9)], for: "tags", of: note))
    #expect(
      try session.value("SELECT \(column) FROM \(table.name) WHERE Z_1NOTES = 5")
        == .integer(position)
    )
  }
}
