import BulkModel
import BulkSQLite
import BulkStore
import BulkTestSupport
import Testing

@Suite("Unique indexes that are made with repeated entries")
struct UniqueIndexTests {
  private let directory: TemporaryDirectory
  private let session: StoreSession
  private let schema: StoreSchema
  private let index: SchemaIndex

  init() throws {
    directory = try TemporaryDirectory()
    _ = try Connection(path: directory.path("source.sqlite"), access: .readWrite)
      .execute("CREATE TABLE ZS (Z_PK INTEGER PRIMARY KEY)")
    let person = EntityDescription("Person", [.optional("name", .string)], unique: [["name"]])
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
    try SQLRowSink(session).fill(
      "ZPERSON",
      ["Z_PK", "Z_ENT", "ZNAME"],
      streamsLargeValues: false
    ) { rows in
      for (key, name) in [(1, "x"), (2, "y"), (3, "x"), (4, "x")] {
        try rows.append([.integer(Int64(key)), .integer(1), .text(name)])
      }
    }
    return session
  }

  private func duplicates() throws -> [String] {
    var found: [String] = []
    try ModelValidation(schema, session).duplicates(against: index) {
      found.append("\($0.entity) \($0.key) \($0.property) \($0.rule) \($0.value ?? "nil")")
    }
    return found
  }

  @Test func `the index shows the same duplicates as a sorting of all rows`() throws {
    let expected = ["Person 3 name unique x", "Person 4 name unique x"]
    #expect(try duplicates() == expected)
    _ = try SQLRowSink(session).make(index.withRepeats, isKnownToConflict: false)
    #expect(try duplicates() == expected)
    #expect(try ModelValidation(schema, session).hasDuplicates(in: index))
  }

  @Test func `where duplicates are gone it becomes the index that would have been made`() throws {
    let builder = StoreBuilder(session)
    _ = try SQLRowSink(session).make(index.withRepeats, isKnownToConflict: false)
    try builder.create("DELETE FROM ZPERSON WHERE Z_PK > 2")
    #expect(try ModelValidation(schema, session).hasDuplicates(in: index) == false)
    try session.makeUnique(index)
    let connection = try Connection(path: directory.path("destination.sqlite"), access: .readWrite)
    #expect(
      try connection.value("SELECT sql FROM sqlite_schema WHERE name = 'Z_Person_UNIQUE_name'")
        == .text(
          "CREATE UNIQUE INDEX Z_Person_UNIQUE_name ON ZPERSON (ZNAME COLLATE BINARY ASC)"
        )
    )
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
    // It holds in this connection as in others.
    #expect(throws: (any Error).self) {
      try builder.create("INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (9, 1, 'y')")
    }
    #expect(throws: (any Error).self) {
      try connection.execute("INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (9, 1, 'y')")
    }
  }

  @Test func `all pages but the first are those of an index that was made unique at once`() throws {
    let other = try Self.session(directory, "other.sqlite", schema)
    for session in [session, other] {
      try StoreBuilder(session).create("DELETE FROM ZPERSON WHERE Z_PK > 2")
    }
    _ = try SQLRowSink(session).make(index.withRepeats, isKnownToConflict: false)
    try session.makeUnique(index)
    _ = try SQLRowSink(other).make(index, isKnownToConflict: false)
    let (made, expected) = (
      try Files.read(directory.path("destination.sqlite")),
      try Files.read(directory.path("other.sqlite"))
    )
    #expect(made[100...] == expected[100...])
  }
}
