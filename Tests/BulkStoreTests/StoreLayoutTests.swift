import BulkTestSupport
import Testing

struct StoreLayoutTests {
  private let directory = TemporaryDirectory()
  private let path: String

  init() throws {
    path = directory.path("store.sqlite")
  }

  private static func model() throws -> ManagedObjectModel {
    try .of(
      .init(
        "Book",
        [.optional("title")],
        [
          .toMany("pages", "Page.book", isOrdered: true),
          .toMany("authors", "Person.books"), .toMany("covers", "Cover"),
        ]
      ),
      .init("Cover"),
      .init("Page", [], [.toOne("book", "Book.pages")]),
      .init("Person", [], [.toMany("books", "Book.authors")]),
      .init("Writer", under: "Person", [.optional("style")])
    )
  }

  private func layout(
    after sql: String,
    of model: ManagedObjectModel? = nil
  ) throws -> StoreLayout {
    let model = try model ?? Self.model()
    try TestStore(model).write(to: path).execute(sql)
    return try PersistentStore(path: path).layout(for: model)
  }

  @Test func `a store that its own model describes has a layout`() throws {
    let layout = try layout(after: "")
    #expect(layout.unmanagedTables == [])
    #expect(layout.unmanagedColumns == [:])
    #expect(layout.unmanagedObjects == [])
    #expect(layout.historyTables == [])
    #expect(layout.staleNames == [:])
  }

  @Test(
    arguments: [
      ("DROP TABLE ZCOVER", "has no table ZCOVER, which entity Cover needs"),
      ("DROP TABLE Z_1AUTHORS", "has no table Z_1AUTHORS, which relationship Book.authors needs"),
      (
        "ALTER TABLE Z_1AUTHORS RENAME COLUMN Z_4AUTHORS TO Z_9AUTHORS",
        "table Z_1AUTHORS has no column Z_4AUTHORS, which Book.authors needs"
      ),
      ("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 2", "number 2 to entity Cover but says nothing"),
      ("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Page' WHERE Z_ENT = 2", "entity Cover but says Page"),
      ("DROP TABLE Z_METADATA", "not a Core Data store: it has no table Z_METADATA"),
      ("DROP TABLE Z_PRIMARYKEY", "not a Core Data store: it has no table Z_PRIMARYKEY"),
      ("DELETE FROM Z_METADATA", "Z_METADATA has no row, but a store has exactly one row there"),
      (
        "UPDATE Z_METADATA SET Z_PLIST = NULL",
        "Z_PLIST in Z_METADATA is NULL, but a store has a property list with its version hashes there"
      ),
      ("INSERT INTO Z_METADATA VALUES (2, 'Y', x'00')", "Z_METADATA has several rows"),
    ]
  )
  func `what contradicts the model, or is not a store, is named`(sql: String, fault: String) throws
  {
    let text = failure { try layout(after: sql) }
    #expect(text.hasPrefix(path))
    #expect(text.contains(fault), "\(text)")
  }

  @Test(
    arguments: [
      ("ZBOOK", "ZTITLE", "Book.title"), ("ZPERSON", "ZSTYLE", "Writer.style"),
      ("ZPAGE", "ZBOOK", "Page.book"), ("ZPAGE", "Z_FOK_BOOK", "Book.pages"),
      ("ZCOVER", "Z1COVERS", "Book.covers"), ("ZPAGE", "Z_OPT", "every row"),
    ]
  )
  func `a missing column names its table and its property`(
    table: String,
    column: String,
    property: String
  ) throws {
    let error = #expect(throws: StoreError.self) {
      try layout(
        after: "DROP INDEX IF EXISTS \(table)_\(column)_INDEX; "
          + "ALTER TABLE \(table) DROP COLUMN \(column)"
      )
    }
    #expect(error == .missingColumn(column, table: table, property: property, path: path))
  }

  @Test func `both names of a missing reflexive join table are named`() throws {
    let user = EntityDescription(
      "User",
      [],
      [.toMany("blocking", "User.blockedBy"), .toMany("blockedBy", "User.blocking")]
    )
    let model = try ManagedObjectModel.of(user)
    let text = failure {
      try layout(after: "DROP TABLE \(StoreSchema(model).joinTables[0].name)", of: model)
    }
    #expect(
      text.contains("has no table Z_1BLOCKING or Z_1BLOCKEDBY, which")
    )
  }

  @Test func `names are found whatever their case, order and quotes`() throws {
    let layout = try layout(
      after: "DROP TABLE ZPAGE; CREATE TABLE zPage (\"zbook_old\", z_pk INTEGER PRIMARY KEY, "
        + "Z_ENT INTEGER, Z_OPT INTEGER, ZBOOK INTEGER, Z_FOK_BOOK INTEGER)"
    )
    #expect(layout.unmanagedColumns["ZPAGE"]?.map(\.name) == ["zbook_old"])
  }

  @Test func `what no model explains is listed, the history apart`() throws {
    let layout = try layout(
      after: """
        CREATE TABLE own (a);
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY);
        CREATE INDEX ACHANGE_I ON ACHANGE (Z_PK);
        ALTER TABLE ZBOOK ADD COLUMN ZLOST VARCHAR;
        CREATE INDEX own_index ON ZBOOK (ZLOST);
        CREATE INDEX same_by_another_name ON ZPAGE (ZBOOK);
        CREATE VIEW own_view AS SELECT 1;
        CREATE TRIGGER own_trigger AFTER INSERT ON own BEGIN SELECT 1; END;
        """
    )
    #expect(layout.unmanagedTables.map(\.name) == ["own"])
    #expect(layout.unmanagedColumns.mapValues { $0.map(\.name) } == ["ZBOOK": ["ZLOST"]])
    #expect(layout.unmanagedObjects.map(\.name) == ["own_index", "own_view", "own_trigger"])
    #expect(layout.historyTables.map(\.name) == ["ACHANGE"])
    #expect(layout.historyIndexes.map(\.name) == ["ACHANGE_I"])
  }

  @Test func `a name from before a renaming is noted`() throws {
    let sql = "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Jacket' WHERE Z_ENT = 2"
    #expect(try layout(after: sql).staleNames == [2: "Jacket"])
  }

  @Test(
    arguments: ["NULL", "x''", "x'00'", "'text'", "7", "x'62706c6973743030'", "zeroblob(100000)"]
  )
  func `metadata that is not a property list is refused`(value: String) throws {
    let text = failure { try layout(after: "UPDATE Z_METADATA SET Z_PLIST = \(value)") }
    #expect(text.hasPrefix("\(path): "))
  }
}
