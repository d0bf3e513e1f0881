import BulkTestSupport
import Testing

struct StoreBuilderTests {
  private let directory = TemporaryDirectory()

  private func definition() throws -> StoreDefinition {
    let model = try ManagedObjectModel.of(
      EntityDescription("Author", [.optional("name")], [.toMany("books", "Book.authors")]),
      EntityDescription("Book", [], [.toMany("authors", "Author.books")])
    )
    return StoreDefinition(StoreSchema(model))
  }

  private func session(_ name: String = "made.sqlite") throws -> StoreSession {
    try StoreSession(directory.path(name))
  }

  private func make(_ definition: StoreDefinition, _ session: StoreSession) throws {
    let builder = StoreBuilder(session)
    try builder.createTables(definition)
    for index in definition.indexes { try builder.create(index.sql) }
    for part in definition.parts() { try builder.make(part, of: definition) }
    try builder.insert(definition.schema.primaryKeyEntries { _ in 7 })
    try builder.insert(
      .fresh(for: definition.schema.model, uuid: "U", frameworkVersion: 1251),
      of: definition
    )
  }

  @Test func `tables, indexes and Core Data's own tables are made in this order`() throws {
    let session = try session()
    try make(try definition(), session)
    let schema = try StoreBuilder(session).schema()
    #expect(
      schema.tables.map(\.name) == [
        "ZAUTHOR", "Z_1BOOKS", "ZBOOK", "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE",
      ]
    )
    #expect(schema.objects.map(\.name) == ["Z_1BOOKS_Z_2BOOKS_INDEX"])
  }

  @Test func `a made store is one of its model`() throws {
    let definition = try definition()
    let session = try session()
    try make(definition, session)
    try StoreBuilder(session).useWriteAheadMode()
    let store = try PersistentStore(path: directory.path("made.sqlite"))
    #expect(store.metadata.uuid == "U")
    #expect(store.isInWriteAheadMode)
    #expect(
      try store.primaryKeys() == [
        PrimaryKeyEntry(number: 1, name: "Author", superentity: 0, highestKey: 7),
        PrimaryKeyEntry(number: 2, name: "Book", superentity: 0, highestKey: 7),
      ]
    )
    #expect(try store.layout(for: definition.schema.model).unmanagedTables == [])
  }

  @Test func `the outline of a definition has the objects that a made store has`() throws {
    let definition = try definition()
    let session = try session()
    try make(definition, session)
    let made = try StoreBuilder(session).schema()
    let outline = try StoreOutline(
      of: definition,
      path: "version 2",
      frameworkVersion: 1251,
      primaryKeys: []
    )
    #expect(outline.schema.tables == Array(made.tables.prefix(3)))
    #expect(outline.schema.objects == made.objects)
  }

  @Test func `tables of a source follow, are filled at once, and keep their objects`() throws {
    let source = try Connection(path: directory.path("source.sqlite"), access: .readWrite)
    try source.execute("CREATE TABLE own (a)")
    try source.execute("CREATE VIEW seen AS SELECT a FROM own")
    try source.execute("CREATE TRIGGER g AFTER INSERT ON own BEGIN SELECT 1; END")
    let file = try FileSchema(source)
    let definition = StoreDefinition(
      try definition().schema,
      indexes: [],
      tables: file.tables,
      objects: file.objects.map { StoreDefinition.Object($0, sql: $0.sql) }
    )
    let session = try session()
    var objects: [[String]] = []
    let builder = StoreBuilder(session)
    for part in definition.parts() {
      try builder.make(part, of: definition)
      objects.append(try builder.schema().objects.map(\.name))
    }
    // Own tables, the table, the view, the keys and metadata whose rows others write, the trigger.
    #expect(objects == [[], [], ["seen"], ["seen"], ["seen"], ["seen", "g"]])
    #expect(try StoreBuilder(session).schema().objects.map(\.name) == ["seen", "g"])
  }
}
