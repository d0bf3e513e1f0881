import BulkTestSupport
import Testing

struct EntityNumberingTests {
  private func numbered(_ entities: [EntityDescription]) throws -> [String] {
    EntityNumbering(try ManagedObjectModel(entities: entities)).entities.map(\.name)
  }

  // Source: the examples of formats/store.md 2.1.
  // formats/migration.md 3.8
  @Test(
    arguments: [
      ["ScheduledMemberTag", "SContact", "SDKSyncTask", "SearchCacheResults"],
      ["apple", "Banana", "cherry", "Date"],
      ["A", "a", "B", "b"],
      ["A1", "A10", "A2"],
      ["a_b", "aB"],
      ["Zebra", "Äpfel"],
    ]
  )
  func `root entities are numbered by name without regard to case`(names: [String]) throws {
    let reversed = names.reversed().map { EntityDescription($0) }
    #expect(try numbered(reversed) == names)
  }

  // formats/migration.md 3.8
  @Test func `subentities come directly after their entity, depth first`() throws {
    let entities = [
      EntityDescription("TextMessage", under: "ClientMessage"),
      EntityDescription("User"),
      EntityDescription("imageMessage", under: "Message"),
      EntityDescription("ClientMessage", under: "Message"),
      EntityDescription("AssetMessage", under: "ClientMessage"),
      EntityDescription("Message"),
      EntityDescription("Connection"),
    ]
    #expect(
      try numbered(entities) == [
        "Connection", "Message", "ClientMessage", "AssetMessage", "TextMessage", "imageMessage",
        "User",
      ]
    )
  }

  @Test func `abstract entities are numbered too, and unknown ones have number 0`() throws {
    let numbering = EntityNumbering(
      try .of(.init("Shape", isAbstract: true), .init("Circle", under: "Shape"), .init("Zoo"))
    )
    #expect(["Shape", "Circle", "Zoo", "Nobody"].map(numbering.number(of:)) == [1, 2, 3, 0])
  }
}

/// Entities, and the tables that they have with the columns behind those of every table.
struct EntityTableCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let entities: [EntityDescription]
  let tables: [String]

  init(_ rule: String, _ entities: EntityDescription..., tables: String...) {
    testDescription = rule
    self.entities = entities
    self.tables = tables
  }

  static let all: [EntityTableCase] = [
    // Source: formats/store.md 3.1.
    EntityTableCase(
      "an entity without properties has the three columns of every table",
      EntityDescription("Note"),
      tables: "ZNOTE ()"
    ),
    // Source: the groups of formats/store.md 3.5.
    EntityTableCase(
      "columns stand in groups by type, and by name in a group",
      EntityDescription(
        "Note",
        [
          .optional("binary", .binaryData), .optional("text"), .optional("Text2"),
          .optional("uri", .uri), .optional("transformable", .transformable),
          .optional("uuid", .uuid), .optional("decimal", .decimal), .optional("real", .double),
          .optional("date", .date), .optional("float", .float), .optional("flag", .boolean),
          .optional("small", .integer16), .optional("medium", .integer32),
          .optional("large", .integer64), .optional("cache", .undefined).transient,
        ],
        [.toOne("another", "Note")]
      ),
      tables: """
        ZNOTE (ZFLAG INTEGER, ZLARGE INTEGER, ZMEDIUM INTEGER, ZSMALL INTEGER, ZANOTHER INTEGER, \
        ZDATE TIMESTAMP, ZFLOAT FLOAT, ZREAL FLOAT, ZDECIMAL DECIMAL, ZTEXT2 VARCHAR, \
        ZTEXT VARCHAR, ZUUID BLOB, ZURI VARCHAR, ZTRANSFORMABLE BLOB, ZBINARY BLOB)
        """
    ),
    // Source: the example of formats/store.md 3.5, abbreviated.
    EntityTableCase(
      "integers and keys stand entity by entity, all other groups span the table",
      EntityDescription(
        "Message",
        [.optional("isEncrypted", .boolean), .optional("timestamp", .date)],
        [.toOne("sender", "User")]
      ),
      EntityDescription(
        "AssetMessage",
        under: "Message",
        [.optional("delivered", .boolean), .optional("data", .binaryData)]
      ),
      EntityDescription(
        "ClientMessage",
        under: "Message",
        [.optional("delivered", .boolean), .optional("text")]
      ),
      EntityDescription("TextMessage", under: "Message", [.optional("text")]),
      EntityDescription("User"),
      tables: """
        ZMESSAGE (ZISENCRYPTED INTEGER, ZSENDER INTEGER, ZDELIVERED INTEGER, \
        ZDELIVERED1 INTEGER, ZTIMESTAMP TIMESTAMP, ZTEXT VARCHAR, ZTEXT1 VARCHAR, ZDATA BLOB)
        """,
      "ZUSER ()"
    ),
    // Source: formats/store.md 3.4; a real store goes up to 8.
    EntityTableCase(
      "of names that clash the later ones get 1, 2, 3 …",
      EntityDescription("Item"),
      EntityDescription("Sub1", under: "Item", [.optional("name")]),
      EntityDescription("Sub2", under: "Item", [.optional("name")]),
      EntityDescription("Sub3", under: "Item", [.optional("name")]),
      tables: "ZITEM (ZNAME VARCHAR, ZNAME1 VARCHAR, ZNAME2 VARCHAR)"
    ),
    // formats/store.md 3.4
    EntityTableCase(
      "a name that a suffix would make is not given twice",
      EntityDescription("Item", [.optional("name1"), .optional("name")]),
      EntityDescription("Sub", under: "Item", [.optional("NAME")]),
      tables: "ZITEM (ZNAME VARCHAR, ZNAME1 VARCHAR, ZNAME2 VARCHAR)"
    ),
    // Source: formats/store.md 4.2, `ZQUOTE INTEGER, Z11_QUOTE INTEGER`.
    EntityTableCase(
      "a key of an entity with subentities is followed by the entity's number",
      EntityDescription("Reply", [], [.toOne("quote", "Message"), .toOne("text", "TextMessage")]),
      EntityDescription("Message"),
      EntityDescription("TextMessage", under: "Message"),
      tables: "ZMESSAGE ()",
      "ZREPLY (ZQUOTE INTEGER, Z1_QUOTE INTEGER, ZTEXT INTEGER)"
    ),
    // Source: formats/store.md 4.3.
    EntityTableCase(
      "an ordered to-many relationship leaves its places in the members' table",
      EntityDescription("Book", [], [.toMany("pages", "Page.book", isOrdered: true)]),
      EntityDescription(
        "Page",
        [.optional("number", .integer16), .optional("text")],
        [.toOne("book", "Book.pages")]
      ),
      tables: "ZBOOK ()",
      "ZPAGE (ZNUMBER INTEGER, ZBOOK INTEGER, Z_FOK_BOOK INTEGER, ZTEXT VARCHAR)"
    ),
    // formats/store.md 4.7
    EntityTableCase(
      "places are named after the to-one, not its column",
      EntityDescription("Book", [], [.toMany("notes", "Second.book", isOrdered: true)]),
      EntityDescription("Root"),
      EntityDescription("First", under: "Root", [], [.toOne("book", "Book")]),
      EntityDescription("Second", under: "Root", [], [.toOne("book", "Book.notes")]),
      tables: "ZBOOK ()",
      "ZROOT (ZBOOK INTEGER, ZBOOK1 INTEGER, Z_FOK_BOOK INTEGER)"
    ),
    // formats/store.md 3.3
    EntityTableCase(
      "only ASCII has capitals in columns of attributes",
      EntityDescription(
        "Größe",
        [.optional("größe"), .optional("grösse")],
        [.toOne("straße", "Größe")]
      ),
      tables: #""ZGRÖSSE" (ZSTRASSE INTEGER, "ZGRöSSE" VARCHAR, "ZGRößE" VARCHAR)"#
    ),
    // Source: the example of formats/store.md 4.4.
    EntityTableCase(
      "a to-many relationship without inverse hides its keys in the members' table",
      EntityDescription("Album", [], [.toMany("stickers", "Sticker", isOrdered: true)]),
      EntityDescription("Page", [], [.toMany("stickers", "Sticker")]),
      EntityDescription("Sticker", [.optional("size", .integer16)]),
      tables: "ZALBUM ()",
      "ZPAGE ()",
      "ZSTICKER (ZSIZE INTEGER, Z1STICKERS INTEGER, Z_FOK_1STICKERS INTEGER, Z2STICKERS INTEGER)"
    ),
    EntityTableCase(
      "a to-many relationship whose inverse is transient counts as one without",
      EntityDescription("Album", [], [.toMany("stickers", "Sticker.album")]),
      EntityDescription("Sticker", [], [.toOne("album", "Album.stickers").transient]),
      tables: "ZALBUM ()",
      "ZSTICKER (Z1STICKERS INTEGER)"
    ),
    EntityTableCase(
      "both sides of a one-to-one relationship have a key",
      EntityDescription("Car", [], [.toOne("engine", "Engine.car")]),
      EntityDescription("Engine", [], [.toOne("car", "Car.engine")]),
      tables: "ZCAR (ZENGINE INTEGER)",
      "ZENGINE (ZCAR INTEGER)"
    ),
  ]
}

struct EntityTableTests {
  private func statements(_ entities: [EntityDescription]) throws -> [String] {
    StoreSchema(try ManagedObjectModel(entities: entities)).entityTables.map(SchemaSQL.create)
  }

  @Test(arguments: EntityTableCase.all)
  func `entities have their tables`(of given: EntityTableCase) throws {
    let all = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    let expected = given.tables.map { table in
      let parts = table.split(separator: " (", maxSplits: 1)
      let columns = parts[1].dropLast()
      return "CREATE TABLE \(parts[0]) ( \(all)\(columns.isEmpty ? "" : ", ")\(columns) )"
    }
    #expect(try statements(given.entities) == expected)
  }

  @Test func `a table never takes the name of one that every store has`() throws {
    let names = try statements([
      EntityDescription("_PRIMARYKEY"), EntityDescription("_Metadata"),
      EntityDescription("note"), EntityDescription("Note"),
    ])
    .map { $0.split(separator: " ")[2] }
    #expect(names == ["Z_METADATA1", "Z_PRIMARYKEY1", "ZNOTE", "ZNOTE1"])
  }

  @Test func `hostile names make sound statements`() throws {
    let names = [
      "it's", "a\"b", "x; DROP TABLE Z_METADATA; --", "🙂", "naïve straße", "select", "a b", "-",
      "%", "?1",
      "\u{301}", "日本", "a,b", "(", "\\", "\n",
    ]
    let directory = TemporaryDirectory()
    let connection = try Connection(path: directory.path("new.sqlite"), access: .readWrite)
    let entities = names.map { name in
      EntityDescription(
        name,
        names.map { .optional($0) },
        [.toOne("to " + name, names[0]), .toMany("many " + name, names[1])],
        unique: [[name]]
      )
      .indexed(FetchIndexDescription("by " + name, elements: [.init(.property(name))]))
    }
    let schema = StoreSchema(try ManagedObjectModel(entities: entities))
    for table in schema.entityTables { try connection.execute(SchemaSQL.create(table)) }
    for index in schema.indexes { try connection.execute(index.sql) }
    let file = try FileSchema(connection)
    #expect(file.tables.map(\.name) == schema.entityTables.map(\.name))
    #expect(
      file.tables.map { $0.columns.map(\.name) }
        == schema.entityTables.map { $0.columns.map(\.name) }
    )
    #expect(file.objects.map(\.name).sorted() == schema.indexes.map(\.name).sorted())
  }

  @Test
  func `a model of 2,000 entities is laid out and found in a file`() throws {
    let entities = (0..<2_000).map { number in
      EntityDescription(
        "Entity\(number)",
        under: number % 10 == 0 ? nil : "Entity\(number - number % 10)",
        [.optional("name\(number % 10)"), .optional("size\(number % 10)", .integer32)],
        [.toOne("next\(number % 10)", "Entity\((number + 1) % 2_000)")]
      )
    }
    let schema = StoreSchema(try ManagedObjectModel(entities: entities))
    #expect(schema.entityTables.count == 200)
    #expect(schema.numbering.entities.count == 2_000)
    #expect(schema.indexes.count == 200 * 11)
    let directory = TemporaryDirectory()
    let connection = try Connection(path: directory.path("new.sqlite"), access: .readWrite)
    try connection.execute("BEGIN")
    for table in schema.entityTables { try connection.execute(SchemaSQL.create(table)) }
    for index in schema.indexes { try connection.execute(index.sql) }
    try connection.execute("COMMIT")
    #expect(try FileSchema(connection).objects.count == 2_200)
  }
}
