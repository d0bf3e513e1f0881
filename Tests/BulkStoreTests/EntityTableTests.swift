import BulkModel
import BulkSQLite
import BulkStore
import BulkTestSupport
import Testing

@Suite("Entity numbers")
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
    var shape = EntityDescription("Shape")
    shape.isAbstract = true
    let numbering = EntityNumbering(
      try ManagedObjectModel(entities: [
        shape, EntityDescription("Circle", under: "Shape"), EntityDescription("Zoo"),
      ])
    )
    #expect(numbering.number(of: "Shape") == 1)
    #expect(numbering.number(of: "Circle") == 2)
    #expect(numbering.number(of: "Zoo") == 3)
    #expect(numbering.number(of: "Nobody") == 0)
  }
}

@Suite("Entity tables")
struct EntityTableTests {
  private func statements(_ entities: [EntityDescription]) throws -> [String] {
    let schema = StoreSchema(
      try ManagedObjectModel(entities: entities)
    )
    return schema.entityTables.map { SchemaSQL.create($0) }
  }

  // Source: formats/store.md 3.1.
  @Test func `an entity without properties has the three columns of every table`() throws {
    #expect(
      try statements([EntityDescription("Note")]) == [
        "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )"
      ]
    )
  }

  // Source: the groups of formats/store.md 3.5.
  @Test func `columns stand in groups by type, and by name in a group`() throws {
    let attributes: [AttributeDescription] = [
      AttributeDescription("binary", .binaryData), AttributeDescription("text", .string),
      AttributeDescription("Text2", .string), AttributeDescription("uri", .uri),
      AttributeDescription("transformable", .transformable), AttributeDescription("uuid", .uuid),
      AttributeDescription("decimal", .decimal), AttributeDescription("real", .double),
      AttributeDescription("date", .date), AttributeDescription("float", .float),
      AttributeDescription("flag", .boolean), AttributeDescription("small", .integer16),
      AttributeDescription("medium", .integer32), AttributeDescription("large", .integer64),
      AttributeDescription("cache", .undefined).transient,
    ]
    let note = EntityDescription("Note", attributes, [.toOne("another", "Note")])
    #expect(
      try statements([note]) == [
        "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZFLAG INTEGER, ZLARGE INTEGER, ZMEDIUM INTEGER, ZSMALL INTEGER, ZANOTHER INTEGER, "
          + "ZDATE TIMESTAMP, ZFLOAT FLOAT, ZREAL FLOAT, ZDECIMAL DECIMAL, ZTEXT2 VARCHAR, "
          + "ZTEXT VARCHAR, ZUUID BLOB, ZURI VARCHAR, ZTRANSFORMABLE BLOB, ZBINARY BLOB )"
      ]
    )
  }

  // Source: the example of formats/store.md 3.5, abbreviated.
  @Test func `integers and keys stand entity by entity, all other groups span the table`() throws {
    let message = EntityDescription(
      "Message",
      [AttributeDescription("isEncrypted", .boolean), AttributeDescription("timestamp", .date)],
      [.toOne("sender", "User")]
    )
    let asset = EntityDescription(
      "AssetMessage",
      under: "Message",
      [AttributeDescription("delivered", .boolean), AttributeDescription("data", .binaryData)]
    )
    let client = EntityDescription(
      "ClientMessage",
      under: "Message",
      [AttributeDescription("delivered", .boolean), AttributeDescription("text", .string)]
    )
    let text = EntityDescription(
      "TextMessage",
      under: "Message",
      [AttributeDescription("text", .string)]
    )
    #expect(
      try statements([message, asset, client, text, EntityDescription("User")])[0]
        == "CREATE TABLE ZMESSAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZISENCRYPTED INTEGER, ZSENDER INTEGER, ZDELIVERED INTEGER, ZDELIVERED1 INTEGER, "
        + "ZTIMESTAMP TIMESTAMP, ZTEXT VARCHAR, ZTEXT1 VARCHAR, ZDATA BLOB )"
    )
  }

  // Source: formats/store.md 3.4; a real store goes up to 8.
  // formats/store.md 3.4
  @Test func `of names that clash the later ones get 1, 2, 3 …`() throws {
    let subentities = (1...4).map { number in
      EntityDescription("Sub\(number)", under: "Item", [AttributeDescription("name", .string)])
    }
    #expect(
      try statements([EntityDescription("Item")] + subentities) == [
        "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZNAME VARCHAR, ZNAME1 VARCHAR, ZNAME2 VARCHAR, ZNAME3 VARCHAR )"
      ]
    )
  }

  // formats/store.md 3.4
  @Test func `a name that a suffix would make is not given twice`() throws {
    let entities = [
      EntityDescription(
        "Item",
        [AttributeDescription("name1", .string), AttributeDescription("name", .string)]
      ),
      EntityDescription("Sub", under: "Item", [AttributeDescription("NAME", .string)]),
    ]
    #expect(
      try statements(entities) == [
        "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZNAME VARCHAR, ZNAME1 VARCHAR, ZNAME2 VARCHAR )"
      ]
    )
  }

  // Source: formats/store.md 4.2, `ZQUOTE INTEGER, Z11_QUOTE INTEGER`.
  @Test func `a key of an entity with subentities is followed by the entity's number`() throws {
    let entities = [
      EntityDescription("Reply", [], [.toOne("quote", "Message"), .toOne("text", "TextMessage")]),
      EntityDescription("Message"), EntityDescription("TextMessage", under: "Message"),
    ]
    #expect(
      try statements(entities)[1]
        == "CREATE TABLE ZREPLY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZQUOTE INTEGER, Z1_QUOTE INTEGER, ZTEXT INTEGER )"
    )
  }

  // Source: formats/store.md 4.3.
  @Test func `an ordered to-many relationship leaves its places in the members' table`() throws {
    let entities = [
      EntityDescription("Book", [], [.toMany("pages", "Page", inverse: "book", ordered: true)]),
      EntityDescription(
        "Page",
        [AttributeDescription("number", .integer16), AttributeDescription("text", .string)],
        [.toOne("book", "Book", inverse: "pages")]
      ),
    ]
    #expect(
      try statements(entities) == [
        "CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
        "CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZNUMBER INTEGER, ZBOOK INTEGER, Z_FOK_BOOK INTEGER, ZTEXT VARCHAR )",
      ]
    )
  }

  @Test func `places are named after the to-one, not its column (formats/store.md 4.7)`()
    throws
  {
    let entities = [
      EntityDescription("Book", [], [.toMany("notes", "Second", inverse: "book", ordered: true)]),
      EntityDescription("Root"),
      EntityDescription("First", under: "Root", [], [.toOne("book", "Book")]),
      EntityDescription("Second", under: "Root", [], [.toOne("book", "Book", inverse: "notes")]),
    ]
    #expect(
      try statements(entities)[1]
        == "CREATE TABLE ZROOT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZBOOK INTEGER, ZBOOK1 INTEGER, Z_FOK_BOOK INTEGER )"
    )
  }

  @Test func `only ASCII has capitals in columns of attributes (formats/store.md 3.3)`()
    throws
  {
    let entities = [
      EntityDescription(
        "Größe",
        [AttributeDescription("größe", .string), AttributeDescription("grösse", .string)],
        [.toOne("straße", "Größe")]
      )
    ]
    #expect(
      try statements(entities) == [
        #"CREATE TABLE "ZGRÖSSE" ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "#
          + #"ZSTRASSE INTEGER, "ZGRöSSE" VARCHAR, "ZGRößE" VARCHAR )"#
      ]
    )
  }

  // Source: the example of formats/store.md 4.4.
  @Test func `a to-many relationship without inverse hides its keys in the members' table`() throws
  {
    let entities = [
      EntityDescription("Album", [], [.toMany("stickers", "Sticker", ordered: true)]),
      EntityDescription("Page", [], [.toMany("stickers", "Sticker")]),
      EntityDescription("Sticker", [AttributeDescription("size", .integer16)]),
    ]
    #expect(
      try statements(entities)[2]
        == "CREATE TABLE ZSTICKER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZSIZE INTEGER, Z1STICKERS INTEGER, Z_FOK_1STICKERS INTEGER, Z2STICKERS INTEGER )"
    )
  }

  @Test func `a to-many relationship whose inverse is transient counts as one without`() throws {
    let entities = [
      EntityDescription("Album", [], [.toMany("stickers", "Sticker", inverse: "album")]),
      EntityDescription("Sticker", [], [.toOne("album", "Album", inverse: "stickers").transient]),
    ]
    #expect(
      try statements(entities)[1]
        == "CREATE TABLE ZSTICKER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "Z1STICKERS INTEGER )"
    )
  }

  @Test func `both sides of a one-to-one relationship have a key`() throws {
    let entities = [
      EntityDescription("Car", [], [.toOne("engine", "Engine", inverse: "car")]),
      EntityDescription("Engine", [], [.toOne("car", "Car", inverse: "engine")]),
    ]
    #expect(
      try statements(entities) == [
        "CREATE TABLE ZCAR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZENGINE INTEGER )",
        "CREATE TABLE ZENGINE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZCAR INTEGER )",
      ]
    )
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
    let directory = try TemporaryDirectory()
    let connection = try Connection(path: directory.path("new.sqlite"), access: .readWrite)
    let entities = names.map { name in
      EntityDescription(
        name,
        names.map { AttributeDescription($0, .string) },
        [.toOne("to " + name, names[0]), .toMany("many " + name, names[1])]
      )
      .indexed(FetchIndexDescription("by " + name, elements: [.init(.property(name))]))
      .unique([name])
    }
    let schema = StoreSchema(
      try ManagedObjectModel(entities: entities)
    )
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
  func `a model of 5,000 entities is laid out and found in a file`() throws {
    let entities = (0..<5_000).map { number in
      EntityDescription(
        "Entity\(number)",
        under: number % 10 == 0 ? nil : "Entity\(number - number % 10)",
        [AttributeDescription("name", .string), AttributeDescription("size", .integer32)]
          .map { attribute in
            AttributeDescription("\(attribute.name)\(number % 10)", attribute.attributeType)
          },
        [.toOne("next\(number % 10)", "Entity\((number + 1) % 5_000)")]
      )
    }
    let model = try ManagedObjectModel(entities: entities)
    let schema = StoreSchema(model)
    #expect(schema.entityTables.count == 500)
    #expect(schema.numbering.entities.count == 5_000)
    #expect(schema.indexes.count == 500 * 11)
    let directory = try TemporaryDirectory()
    let connection = try Connection(path: directory.path("new.sqlite"), access: .readWrite)
    try connection.execute("BEGIN")
    for table in schema.entityTables { try connection.execute(SchemaSQL.create(table)) }
    for index in schema.indexes { try connection.execute(index.sql) }
    try connection.execute("COMMIT")
    #expect(try FileSchema(connection).objects.count == 5_500)
  }
}
