import BulkTestSupport
import Testing

struct UniqueIndexTests {
  private let directory = TemporaryDirectory()
  private let session: StoreSession
  private let schema: StoreSchema
  private let index: SchemaIndex

  init() throws {
    _ = try Connection(path: directory.path("source.sqlite"), access: .readWrite)
      .execute("CREATE TABLE ZS (Z_PK INTEGER PRIMARY KEY)")
    let person = EntityDescription("Person", [.optional("name")], unique: [["name"]])
    schema = StoreSchema(
      try ManagedObjectModel.of(person)
    )
    index = try #require(schema.indexes.first)
    session = try Self.session(directory, "destination.sqlite", schema)
  }

  private static func session(
    _ directory: TemporaryDirectory,
    _ name: String,
    _ schema: StoreSchema
  ) throws -> StoreSession {
    let session = try StoreSession(
      directory.path(name),
      readingFrom: directory.path("source.sqlite")
    )
    try StoreBuilder(session).createTables(StoreDefinition(schema))
    try SQLRowSink(session).fill("ZPERSON", ["Z_PK", "Z_ENT", "ZNAME"]) { rows in
      for (key, name) in [(1, "x"), (2, "y"), (3, "x"), (4, "x")] {
        try rows.append([.integer(Int64(key)), .integer(1), .text(name)])
      }
    }
    return session
  }

  @Test func `the first of equal rows is none of the duplicates`() throws {
    #expect(try SQLRowSink(session).make(index, isKnownToConflict: false) == false)
    var found: [String] = []
    try ModelValidation(schema, session).duplicates(against: index) {
      found.append("\($0.entity) \($0.key) \($0.property) \($0.rule) \($0.value ?? "nil")")
    }
    #expect(found == ["Person 3 name unique x", "Person 4 name unique x"])
  }
}
