import BulkTestSupport
import Testing

/// What follows from entities getting other numbers, which a new entity's name alone can cause.
struct RenumberingTests {
  @Test func `rows and entity columns follow the numbers, and the columns' names too`() throws {
    let old = [
      EntityDescription("Message", isAbstract: true),
      EntityDescription("TextMessage", under: "Message", [.optional("text")]),
      EntityDescription("Reply", [], [.toOne("quote", "Message")]),
    ]
    let store = TestStore(
      try ManagedObjectModel(entities: old),
      TestObject("TextMessage", 1, ["text": "a"]),
      TestObject("Reply", 2, links: ["quote": [1]]),
      TestObject("Reply", 3)
    )
    let made = try migrate(
      store,
      to: ManagedObjectModel(
        entities: old + [
          EntityDescription("Connection"), EntityDescription("ImageMessage", under: "Message"),
        ]
      )
    ).destination
    #expect(
      try made.rows(of: "Z_PRIMARYKEY") == [
        [1, "Connection", 0, 0], [2, "Message", 0, 1], [3, "ImageMessage", 2, 0],
        [4, "TextMessage", 2, 0], [5, "Reply", 0, 3],
      ]
    )
    #expect(try made.rows(of: "ZMESSAGE") == [[1, 4, 1, "a"]])
    #expect(try made.columns(of: "ZREPLY") == ["Z_PK", "Z_ENT", "Z_OPT", "ZQUOTE", "Z2_QUOTE"])
    #expect(try made.rows(of: "ZREPLY") == [[2, 5, 1, 1, 4], [3, 5, 1, nil, nil]])
  }

  // formats/migration.md 4.9
  @Test func `join tables, their columns and hidden keys get other names and keep their rows`()
    throws
  {
    let old = [
      EntityDescription(
        "Note",
        [],
        [.toMany("tags", "Tag.notes"), .toMany("files", "Upload", isOrdered: true)]
      ),
      EntityDescription("Tag", [], [.toMany("notes", "Note.tags")]),
      EntityDescription("Upload"),
    ]
    let store = TestStore(
      try ManagedObjectModel(entities: old),
      TestObject("Note", 1, links: ["tags": [2, 3], "files": [8, 7]]),
    )
    let made = try migrate(
      store,
      to: ManagedObjectModel(entities: old + [EntityDescription("Author")])
    ).destination
    #expect(try made.columns(of: "Z_2TAGS") == ["Z_2NOTES", "Z_3TAGS"])
    #expect(try made.rows(of: "Z_2TAGS") == [[1, 2], [1, 3]])
    #expect(
      try made.rows(of: "ZUPLOAD", "Z_PK", "Z2FILES", "Z_FOK_2FILES")
        == [[7, 1, 3072], [8, 1, 2048]]
    )
    #expect(try made.tables().contains("Z_1TAGS") == false)
    #expect(try made.names(of: "index") == ["ZUPLOAD_Z2FILES_INDEX", "Z_2TAGS_Z_3TAGS_INDEX"])
  }

  @Test func `a relationship that is its own inverse keeps its pairs as they are`() throws {
    let person = EntityDescription("Person", [], [.toMany("friends", "Person.friends")])
    var store = TestStore(
      try .of(person),
      TestObject("Person", 1, links: ["friends": [2]]),
      TestObject("Person", 2, links: ["friends": [1, 3]])
    )
    store.sql = ["UPDATE Z_1FRIENDS SET rowid = rowid * 10"]
    let made = try migrate(store, to: .of(person, .init("Author"))).destination
    #expect(try made.columns(of: "Z_2FRIENDS") == ["Z_2FRIENDS", "REFLEXIVE"])
    #expect(
      try made.rows("SELECT rowid, * FROM Z_2FRIENDS") == [[10, 1, 2], [20, 2, 1], [30, 2, 3]]
    )
  }

  /// The model names the table of a reflexive pair (formats/store.md 6), also when the relationships are renamed,
  /// and whichever side names it in the source.
  @Test(arguments: ["blocking", "blockedBy"])
  func `the new model alone names the table of a reflexive pair`(side: String) throws {
    let person = EntityDescription(
      "Person",
      [],
      [.toMany("blocking", "Person.blockedBy"), .toMany("blockedBy", "Person.blocking")]
    )
    var store = TestStore(
      try .of(person),
      TestObject("Person", 1, links: ["blocking": [2, 3]]),
      TestObject("Person", 2, links: ["blocking": [3]])
    )
    store.namingSides = [PropertyKey("Person", side)]
    let renamed = EntityDescription(
      "Person",
      [],
      [
        .toMany("bans", "Person.bannedBy", id: "blocking"),
        .toMany("bannedBy", "Person.bans", id: "blockedBy"),
      ]
    )
    let made = try migrate(store, to: .of(renamed, .init("Author"))).destination
    #expect(
      try made.tables().filter { $0 != "ZAUTHOR" && $0 != "ZPERSON" }
        == ["Z_2BANNEDBY", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"]
    )
    // A person stands in the column that is named after the relationship of those whom it bans.
    #expect(
      try made.rows("SELECT Z_2BANNEDBY, Z_2BANS FROM Z_2BANNEDBY ORDER BY 1, 2")
        == [[1, 2], [1, 3], [2, 3]]
    )
  }

  // formats/migration.md 5.4
  @Test func `changes of the history follow the numbers`() throws {
    let note = EntityDescription("Note")
    var store = TestStore(
      try .of(note, .init("Tag"), .init("Mark")),
      TestObject("Note", 1)
    )
    // The statements of the tables: formats/store.md 10.
    store.sql = [
      "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, "
        + "ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB )",
      "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZAUTHORTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR )",
      "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
      // Mark 1, Note 2, Tag 3.
      "INSERT INTO ACHANGE VALUES (5, 16001, 1, 0, 1, 9, 3, NULL, NULL), "
        + "(6, 16001, 1, 1, 2, 1, 4, x'01', NULL), (8, 16001, 2, 2, 3, 7, 4, NULL, x'0203')",
      "INSERT INTO ATRANSACTION VALUES (4, 16002, 1, NULL, 12.5, 'app')",
      "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 8), (16002, 'TRANSACTION', 0, 4)",
    ]
    let made = try migrate(
      store,
      to: .of(note, .init("Label", id: "Tag"))
    ).destination
    #expect(
      try made.rows(of: "ACHANGE") == [
        [6, 16001, 1, 1, 2, 1, 4, [1], nil], [8, 16001, 2, 2, 1, 7, 4, nil, [2, 3]],
      ]
    )
    #expect(try made.rows(of: "ATRANSACTION") == [[4, 16002, 1, nil, 12.5, "app"]])
    #expect(try made.names(of: "index") == ["ACHANGE_ZTRANSACTIONID_INDEX"])
    #expect(
      try made.rows(of: "Z_PRIMARYKEY") == [
        [1, "Label", 0, 0], [2, "Note", 0, 1], [16001, "CHANGE", 0, 8],
        [16002, "TRANSACTION", 0, 4],
      ]
    )
  }
}
