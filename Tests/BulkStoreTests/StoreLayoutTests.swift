import BulkModel
import BulkSQLite
import BulkStore
import BulkTestSupport
import Testing

@Suite("A model in a store that it did not write")
struct StoreLayoutTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("store.sqlite")
  }

  private let entities = [
    EntityDescription(
      "Book",
      [AttributeDescription("title", .string)],
      [
        .toMany("pages", "Page", inverse: "book", ordered: true),
        .toMany("authors", "Person", inverse: "books"),
        .toMany("covers", "Cover"),
      ]
    ),
    EntityDescription("Cover"),
    EntityDescription("Page", [], [.toOne("book", "Book", inverse: "pages")]),
    EntityDescription("Person", [], [.toMany("books", "Book", inverse: "authors")]),
    EntityDescription("Writer", under: "Person", [AttributeDescription("style", .string)]),
  ]

  /// The failure of laying the model over a store after something was done to it.
  private func error(
    after sql: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> StoreError {
    let store = try SmallStore(at: path, of: entities)
    try store.connection.execute(sql)
    let opened = try PersistentStore(path: path)
    return try #require(throws: StoreError.self, sourceLocation: sourceLocation) {
      try opened.layout(for: store.schema.model)
    }
  }

  @Test func `a store that its own model describes has a layout`() throws {
    let store = try SmallStore(at: path, of: entities)
    let layout = try PersistentStore(path: path).layout(for: store.schema.model)
    #expect(layout.unmanagedTables == [])
    #expect(layout.unmanagedColumns == [:])
    #expect(layout.unmanagedObjects == [])
    #expect(layout.historyTables == [])
    #expect(layout.staleNames == [:])
  }

  @Test func `a missing table names its entity`() throws {
    let error = try error(after: "DROP TABLE ZCOVER")
    #expect(error == .missingTable("ZCOVER", entity: "Cover", path: path))
    #expect(
      error.description == "\(path) has no table ZCOVER, which entity Cover needs; "
        + "is this the model that wrote it?"
    )
  }

  @Test(
    arguments: [
      ("ZBOOK", "ZTITLE", "Book.title"),
      ("ZPERSON", "ZSTYLE", "Writer.style"),
      ("ZPAGE", "ZBOOK", "Page.book"),
      ("ZPAGE", "Z_FOK_BOOK", "Book.pages"),
      ("ZCOVER", "Z1COVERS", "Book.covers"),
      ("ZPAGE", "Z_OPT", "every row"),
    ]
  )
  func `a missing column names its table and its property`(
    table: String,
    column: String,
    property: String
  ) throws {
    let error = try error(
      after: "DROP INDEX IF EXISTS \(table)_\(column)_INDEX; "
        + "ALTER TABLE \(table) DROP COLUMN \(column)"
    )
    let expected = StoreError.missingColumn(
      column,
      table: table,
      property: property,
      path: path
    )
    #expect(error == expected)
    #expect(
      error.description == "\(path): table \(table) has no column \(column), which \(property) "
        + "needs; is this the model that wrote it?"
    )
  }

  @Test func `a missing join table names its relationship`() throws {
    let error = try error(after: "DROP TABLE Z_1AUTHORS")
    let expected = StoreError.missingJoinTable(
      ["Z_1AUTHORS"],
      relationship: "Book.authors",
      path: path
    )
    #expect(error == expected)
    #expect(
      error.description == "\(path) has no table Z_1AUTHORS, which relationship Book.authors "
        + "needs; is this the model that wrote it?"
    )
  }

  @Test func `a missing column of a join table names its relationship`() throws {
    let error = try error(after: "ALTER TABLE Z_1AUTHORS RENAME COLUMN Z_4AUTHORS TO Z_9AUTHORS")
    let expected = StoreError.missingColumn(
      "Z_4AUTHORS",
      table: "Z_1AUTHORS",
      property: "Book.authors",
      path: path
    )
    #expect(error == expected)
  }

  @Test func `both names of a missing reflexive join table are named`() throws {
    let user = EntityDescription(
      "User",
      [],
      [
        .toMany("blocking", "User", inverse: "blockedBy"),
        .toMany("blockedBy", "User", inverse: "blocking"),
      ]
    )
    let store = try SmallStore(at: path, of: [user])
    try store.connection.execute("DROP TABLE \(store.schema.joinTables[0].name)")
    let opened = try PersistentStore(path: path)
    let error = try #require(throws: StoreError.self) {
      try opened.layout(for: store.schema.model)
    }
    let fault = "has no table Z_1BLOCKING or Z_1BLOCKEDBY, which relationship User.blocking needs"
    #expect("\(error)" == "\(path) \(fault); is this the model that wrote it?")
  }

  @Test(
    arguments: [
      ("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 2", "Cover", 2, "nothing"),
      ("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Page' WHERE Z_ENT = 2", "Cover", 2, "Page"),
    ]
  )
  func `a number that contradicts the model is named`(
    sql: String,
    entity: String,
    number: Int64,
    found: String
  ) throws {
    let error = try error(after: sql)
    #expect(
      error == .entityNumber(entity: entity, expected: number, found: found, path: path)
    )
  }

  @Test func `names are found whatever their case, order and quotes`() throws {
    let store = try SmallStore(at: path, of: entities) { sql in
      sql.replacing(
        "CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, ",
        with: "CREATE TABLE zPage ( \"zbook_old\", z_pk INTEGER PRIMARY KEY, "
      )
    }
    let layout = try PersistentStore(path: path).layout(for: store.schema.model)
    #expect(layout.unmanagedColumns["ZPAGE"]?.map(\.name) == ["zbook_old"])
  }

  @Test func `what no model explains is listed, the history apart`() throws {
    let store = try SmallStore(at: path, of: entities)
    try store.connection.execute("CREATE TABLE own (a)")
    try store.connection.execute("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)")
    try store.connection.execute("CREATE INDEX ACHANGE_I ON ACHANGE (Z_PK)")
    try store.connection.execute("ALTER TABLE ZBOOK ADD COLUMN ZLOST VARCHAR")
    try store.connection.execute("CREATE INDEX own_index ON ZBOOK (ZLOST)")
    try store.connection.execute("CREATE INDEX same_by_another_name ON ZPAGE (ZBOOK)")
    try store.connection.execute("CREATE VIEW own_view AS SELECT 1")
    try store.connection.execute(
      "CREATE TRIGGER own_trigger AFTER INSERT ON own BEGIN SELECT 1; END"
    )
    let layout = try PersistentStore(path: path).layout(for: store.schema.model)
    #expect(layout.unmanagedTables.map(\.name) == ["own"])
    #expect(layout.unmanagedColumns.mapValues { $0.map(\.name) } == ["ZBOOK": ["ZLOST"]])
    #expect(layout.unmanagedObjects.map(\.name) == ["own_index", "own_view", "own_trigger"])
    #expect(layout.historyTables.map(\.name) == ["ACHANGE"])
    #expect(layout.historyIndexes.map(\.name) == ["ACHANGE_I"])
  }

  @Test func `a name from before a renaming is noted`() throws {
    let store = try SmallStore(at: path, of: entities)
    try store.connection.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Jacket' WHERE Z_ENT = 2")
    let layout = try PersistentStore(path: path).layout(for: store.schema.model)
    #expect(layout.staleNames == [2: "Jacket"])
  }

  @Test(
    arguments: [
      (
        "DROP TABLE Z_METADATA",
        "is an SQLite database but no Core Data store: "
          + "it has no table Z_METADATA"
      ),
      (
        "DROP TABLE Z_PRIMARYKEY",
        "is an SQLite database but no Core Data store: "
          + "it has no table Z_PRIMARYKEY"
      ),
    ]
  )
  func `a database that is no store is refused`(sql: String, message: String) throws {
    try SmallStore(at: path, of: entities).connection.execute(sql)
    let error = try #require(throws: StoreError.self) { try PersistentStore(path: path) }
    #expect(error.description == "\(path) \(message)")
  }

  @Test(
    arguments: [
      ("DELETE FROM Z_METADATA", "Z_METADATA has no row, but a store has exactly one row there"),
      (
        "INSERT INTO Z_METADATA VALUES (2, 'Y', x'00')",
        "Z_METADATA has several rows, but a store has exactly one row there"
      ),
    ]
  )
  func `metadata of another number of rows is refused`(sql: String, message: String) throws {
    try SmallStore(at: path, of: entities).connection.execute(sql)
    let error = try #require(throws: StoreError.self) { try PersistentStore(path: path) }
    #expect(error.description == "\(path): \(message)")
  }

  @Test(
    arguments: ["NULL", "x''", "x'00'", "'text'", "7", "x'62706c6973743030'", "zeroblob(100000)"]
  )
  func `metadata that is no property list is refused`(value: String) throws {
    try SmallStore(at: path, of: entities).connection
      .execute("UPDATE Z_METADATA SET Z_PLIST = \(value)")
    let error = try #require(throws: StoreError.self) { try PersistentStore(path: path) }
    #expect(error.description.hasPrefix("\(path): "))
  }
}
