import BulkTestSupport
import BulkMigrate
import Testing

@Suite("Verification", .tags(.promise21)) struct VerificationTests {
  @Test(arguments: [false, true])
  func `a destination is what its plan says, and nothing is left behind`(inferred: Bool) throws {
    let migrated = try MigratedNotes(inferred: inferred)
    let before = try migrated.directory.bytes()
    #expect(try migrated.found(.quick) == [])
    let report = try migrated.report(.full)
    #expect(report.sentences == [])
    // Folders, tags, notes and their pairs with tags.
    #expect(report.rowsCompared == (inferred ? 2 + 5 + 40 + 80 : 2 + 5 + 20 + 40))
    #expect(try migrated.directory.bytes() == before)
  }

  // formats/migration.md 2.6: a fraction stays in the column of an attribute that became an integer.
  @Test(arguments: [false, true])
  func `a fraction in a column of integers is a number like any other`(inferred: Bool) throws {
    let migrated = try MigratedNotes(
      inferred: inferred,
      sql: "UPDATE ZNOTE SET ZSTARS = 2.5 WHERE ZSTARS = 5"
    )
    #expect(try migrated.found(.full) == [])
  }

  @Test(arguments: [
    "TERNARY($source.name CONTAINS 'tag', $source.name, 'none')", "uppercase($source.name)",
  ])
  func `a text that is not UTF-8 is what it reads as`(name: String) throws {
    let migrated = try MigratedNotes(
      sql: "UPDATE ZTAG SET ZNAME = CAST(x'74616741FF' AS TEXT) WHERE Z_PK = 3",
      tagName: name
    )
    #expect(try migrated.found(.full) == [])
    try migrated.destination.execute(
      "UPDATE ZTAG SET ZNAME = CAST(x'74616742FF' AS TEXT) WHERE Z_PK = 3"
    )
    #expect(try migrated.found(.full).contains { $0.hasPrefix("Tag 3, name: ") })
    try migrated.removeBroken()
  }

  @Test func `copied bytes of a text that is not UTF-8 are kept`() throws {
    let migrated = try MigratedNotes(
      inferred: true,
      sql: "UPDATE ZTAG SET ZNAME = CAST(x'61FF62' AS TEXT) WHERE Z_PK = 3"
    )
    try migrated.destination.execute("UPDATE ZTAG SET ZNAME = 'a\u{FFFD}b' WHERE Z_PK = 3")
    #expect(try migrated.found(.full).contains { $0.hasPrefix("Tag 3, name: ") })
  }

  @Test func `the identity of a source object is that of its store`() throws {
    let migrated = try MigratedNotes(tagName: "$source.objectID.URIRepresentation.absoluteString")
    let source = try PersistentStore(path: migrated.directory.path("source.sqlite"))
    let found = try migrated.destination.rows(of: "ZTAG", "ZNAME").first
    #expect(found == [.text("x-coredata://\(source.metadata.uuid)/Tag/p1")])
    #expect(try migrated.found(.full) == [])
  }

  @Test(arguments: [nil, 4] as [Int64?])
  func `a part of the source that nothing reads and no loss counts is a difference`(
    counted: Int64?
  ) throws {
    let migrated = try MigratedNotes(
      sql: "ALTER TABLE ZTAG ADD COLUMN XAPP TEXT; UPDATE ZTAG SET XAPP = 'x'"
    )
    #expect(try Verification(inTestProcess: migrated.plan).run().sentences == [])
    var plan = migrated.plan
    let index = try #require(plan.losses.firstIndex { $0.owner == "ZTAG.XAPP" })
    if let counted { plan.losses[index].count = counted } else { plan.losses.remove(at: index) }
    #expect(
      try Verification(inTestProcess: plan).run().sentences == [
        "nothing reads 5 unmanaged values of ZTAG.XAPP, of which \(counted ?? 0) are counted as lost"
      ]
    )
  }

  /// Each changes one thing, which is named exactly.
  private static let changes: [(sql: String, sentence: String)] = [
    (
      "UPDATE ZNOTE SET ZTITLE = 'other' WHERE Z_PK = 5",
      #"Note 5, title: expected "note 5", found "other" (made from Note 5)"#
    ),
    (
      "UPDATE ZNOTE SET ZSTARS = NULL WHERE Z_PK = 5",
      "Note 5, stars: expected 6, found nil (made from Note 5)"
    ),
    (
      "UPDATE ZNOTE SET ZRANK = 2.5000001 WHERE Z_PK = 5",
      "Note 5, rank: expected 2.5, found 2.5000001 (made from Note 5)"
    ),
    ("DELETE FROM ZFOLDER WHERE Z_PK = 2", "Folder 2: the object is missing (made from Folder 2)"),
    ("INSERT INTO ZTAG VALUES (6, 3, 1, 'x')", "Tag 6: the object is not expected"),
    (
      "UPDATE ZNOTE SET ZFOLDER = 2 WHERE Z_PK = 5",
      "Note 5, folder: expected Folder 1, found Folder 2 (made from Note 5)"
    ),
    (
      "UPDATE ZNOTE SET Z_ENT = 1 WHERE Z_PK = 5",
      "Note 5, entity: expected Note, found Folder (made from Note 5)"
    ),
    (
      "UPDATE ZNOTE SET Z_OPT = 9 WHERE Z_PK = 5",
      "Note 5, Z_OPT: expected 1, found 9 (made from Note 5)"
    ),
    (
      "DELETE FROM Z_2TAGS WHERE Z_2NOTES = 5 AND Z_3TAGS = 1",
      "Note 5, tags: Tag 1 is missing (made from Note 5)"
    ),
    (
      "INSERT INTO Z_2TAGS (Z_2NOTES, Z_3TAGS, Z_FOK_3TAGS) VALUES (5, 5, 0)",
      "Note 5, tags: Tag 5 is not expected (made from Note 5)"
    ),
    (
      "UPDATE Z_2TAGS SET Z_FOK_3TAGS = 9 WHERE Z_2NOTES = 5 AND Z_3TAGS = 1",
      "Note 5, tags, position of Tag 1: expected 2048, found 9 (made from Note 5)"
    ),
    (
      "UPDATE ZNOTE SET ZDATA = CAST(substr(ZDATA, 1, 200000) || x'08' || substr(ZDATA, 200002) AS BLOB) "
        + "WHERE Z_PK = 7",
      "Note 7, data: expected blob of 300000 bytes, found blob of 300000 bytes (made from Note 7)"
    ),
    (
      "DROP INDEX ZNOTE_ZFOLDER_INDEX",
      "ZNOTE: expected CREATE INDEX ZNOTE_ZFOLDER_INDEX ON ZNOTE (ZFOLDER), found nothing"
    ),
    (
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Tag'",
      "Tag, Z_MAX: expected at least 5, found 3"
    ),
    (
      "UPDATE Z_METADATA SET Z_VERSION = 2",
      "metadata, Z_VERSION: expected 1, found 2"
    ),
    (
      "UPDATE Z_2TAGS SET Z_3TAGS = 1.5 WHERE Z_2NOTES = 5 AND Z_3TAGS = 1",
      "Note 5, Z_3TAGS: expected 1, found 1.5 (made from Note 5)"
    ),
    (
      "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'",
      "metadata, model that the store keeps: expected that of its version, found "
    ),
    (
      """
      ALTER TABLE ZTAG RENAME TO OLD;
      CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZNAME VARCHAR NOT NULL CHECK (ZNAME <> 'x, y'));
      INSERT INTO ZTAG SELECT * FROM OLD; DROP TABLE OLD
      """,
      "Tag, ZTAG: found ZNAME NOT NULL CHECK (ZNAME <> 'X, Y'), expected nothing"
    ),
    (
      "ALTER TABLE ZTAG ADD COLUMN ZCOLOR VARCHAR",
      "Tag: found column ZTAG.ZCOLOR, expected nothing"
    ),
    (
      "PRAGMA writable_schema = ON; "
        + "UPDATE sqlite_schema SET sql = replace(sql, 'ZTITLE VARCHAR', 'ZTITLE INTEGER')",
      "Note, ZNOTE.ZTITLE: expected VARCHAR, found INTEGER"
    ),
    ("DELETE FROM words WHERE word = 'a'", "words, rows: expected 2 rows with the sum "),
    ("UPDATE words SET n = 1.5 WHERE word = 'a'", "words, rows: expected 2 rows with the sum "),
    ("UPDATE computed SET a = 9 WHERE rowid = 2", "computed 2, a: expected 2, found 9"),
    ("DROP TABLE computed", "computed: expected table computed, found nothing"),
    ("UPDATE sqlite_sequence SET seq = 0", "log, sqlite_sequence: expected 90, found 0"),
    ("PRAGMA user_version = 0", "metadata, user_version: expected -7, found 0"),
    ("PRAGMA application_id = 5", "metadata, application_id: expected 9, found 5"),
    ("DELETE FROM sqlite_sequence", "log, sqlite_sequence: expected 90, found nothing"),
  ]

  private static let unmanaged = """
    PRAGMA user_version = -7; PRAGMA application_id = 9;
    CREATE TABLE words (word TEXT PRIMARY KEY, n) WITHOUT ROWID;
    INSERT INTO words VALUES ('b', 2), ('a', 1);
    CREATE TABLE computed (a INTEGER, b AS (a * 2)); INSERT INTO computed VALUES (1), (2);
    CREATE TABLE log (id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO log VALUES (90);
    """

  @Test func `a change is named`() throws {
    let migrated = try MigratedNotes(sql: Self.unmanaged)
    #expect(try migrated.found(.full) == [])
    let sound = try Files.read(migrated.destination.path)
    for (sql, sentence) in Self.changes {
      try Files.write(sound, to: migrated.destination.path)
      try migrated.destination.execute(sql)
      let found = try migrated.found(.full)
      #expect(found.contains { $0.hasPrefix(sentence) }, "\(sql): \(found)")
    }
  }

  @Test(arguments: VerificationLevel.allCases)
  func `missing files are named, and those that are gone from both stores`(
    level: VerificationLevel
  ) throws {
    let migrated = try MigratedNotes()
    for (name, beginning) in [
      (".destination_SUPPORT", "found nothing"),
      (
        ".source_SUPPORT",
        "found none, in the source either; by the plan 0 are missing there, and here at least 1"
      ),
    ] {
      try FileManager.default.removeItem(atPath: migrated.directory.path(name))
      #expect(
        try migrated.found(level).first
          == "Note, image: expected file \(MigratedNotes.image), \(beginning)"
      )
    }
  }

  /// 1 is external, 2 nil, 3 empty, 4 large, 5 neither a value nor a reference.
  @Test(
    arguments: [
      ("image != nil", [1, 3, 4, 5]), ("image == nil", [2]), ("image IN {nil}", [2]),
      ("nil != image AND title MATCHES 'n.*'", [1, 3, 4, 5]),
      ("TERNARY(image != nil, 1, 0) == 1", [1, 3, 4, 5]),
      ("title MATCHES 'n.*' AND NOT (next.image == nil)", [2, 3, 4]),
      ("SUBQUERY(others, $o, $o.image != nil).@count > 0", [4, 5]),
      // A set has no element for nil.
      ("ANY others.image == nil", []), ("ANY others.image != nil", [4, 5]),
    ] as [(String, [Int])]
  )
  func `whether an external value is nil is the same in every way`(
    filter: String,
    keys: [Int]
  ) throws {
    let model = try ManagedObjectModel.of(
      EntityDescription(
        "Note",
        [.optional("title"), .external("image")],
        [.toOne("next", "Note.others"), .toMany("others", "Note.next")]
      )
    )
    var store = TestStore(model)
    let next: [Int64: Int64] = [2: 1, 3: 4, 4: 5]
    store.objects = (1...5).map { key in
      TestObject(
        "Note",
        key,
        ["title": .string("note \(key)")],
        links: next[key].map { ["next": [$0]] } ?? [:]
      )
    }
    store.sql = [
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(MigratedNotes.image)' || x'00' AS BLOB) WHERE Z_PK = 1",
      "UPDATE ZNOTE SET ZIMAGE = x'01' WHERE Z_PK = 3",
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'01' || zeroblob(2000000) AS BLOB) WHERE Z_PK = 4",
      "UPDATE ZNOTE SET ZIMAGE = x'03' WHERE Z_PK = 5",
    ]
    let planned = try Planned(
      store,
      to: model,
      by: [
        .of("Note", "Note", where: filter, ["title": "$source.title", "image": "$source.image"])
      ]
    ) { source in
      try FileManager.default.createDirectory(
        atPath: source.externalValues,
        withIntermediateDirectories: true
      )
      try Files.write([1, 2, 3], to: "\(source.externalValues)/\(MigratedNotes.image)")
    }
    let made = try planned.run()
    let titles = try made.rows("SELECT ZTITLE FROM ZNOTE ORDER BY ZTITLE")
    #expect(titles == keys.map { [.text("note \($0)")] })
    #expect(try Verification(inTestProcess: planned.plan).run().sentences == [])
  }

  @Test func `a number beyond its type is taken over as the run took it over`() throws {
    let store = TestStore(
      try .of(EntityDescription("Note", [.optional("count", .integer16)])),
      TestObject("Note", 1, ["count": 70_000])
    )
    let planned = try Planned(
      store,
      to: store.model,
      by: [.of("Note", "Note", ["count": "$source.count"])]
    )
    #expect(try planned.run().rows(of: "ZNOTE", "ZCOUNT") == [[70_000]])
    #expect(try Verification(inTestProcess: planned.plan).run().sentences == [])
  }

  @Test func `a file with other bytes is named, and one that nothing expects`() throws {
    let migrated = try MigratedNotes()
    try Files.write([1, 2, 4], to: "\(migrated.destination.externalValues)/\(MigratedNotes.image)")
    try Files.write([1], to: "\(migrated.destination.externalValues)/0")
    #expect(
      try Set(migrated.found(.full)) == [
        "Note, image: expected file \(MigratedNotes.image), found a file with other bytes",
        "external values: found file 0, expected nothing",
      ]
    )
  }

  @Test func `metadata of another model is found at once`() throws {
    let migrated = try MigratedNotes()
    try migrated.destination.execute(
      """
      ATTACH '\(migrated.directory.path("source.sqlite"))' AS other;
      UPDATE main.Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM other.Z_METADATA);
      """
    )
    let found = try migrated.found(.quick)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("metadata, version hash of Note: expected "), "\(found)")
  }

  @Test func `a dangling reference is found at once`() throws {
    let migrated = try MigratedNotes()
    try migrated.destination.execute("UPDATE ZNOTE SET ZFOLDER = 77 WHERE Z_PK IN (5, 9)")
    #expect(
      try migrated.found(.quick)
        == ["Note, folder: expected an object of Folder, found none for 2 keys, the first in row 5"]
    )
  }

  /// An inferred migration keeps dangling links, and makes none.
  @Test(arguments: VerificationLevel.allCases, [nil, #"[["Folder"], ["Note"]]"#])
  func `of dangling links only those of the source are right, after passes by hand, too`(
    level: VerificationLevel,
    passes: String?
  ) throws {
    let migrated = try MigratedNotes(
      inferred: true,
      passes: passes,
      sql: "UPDATE ZNOTE SET ZFOLDER = 9 WHERE Z_PK = 4"
    )
    #expect(try migrated.found(level) == [])
    try migrated.destination.execute("UPDATE ZNOTE SET ZFOLDER = 77 WHERE Z_PK IN (5, 9)")
    let sentence =
      "Note, folder: expected an object of Folder, found none for 3 keys, the first in row 4; "
      + "in the source 1 of all relationships point to no object"
    let found = try migrated.found(level)
    #expect(found.contains(sentence), "\(found)")
  }

  @Test func `an index that disagrees with its table is found at once`() throws {
    let migrated = try MigratedNotes()
    // The table changes behind the index's back.
    try migrated.destination.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '(ZFOLDER)', '(ZRANK)')
        WHERE name = 'ZNOTE_ZFOLDER_INDEX';
      """
    )
    let found = try migrated.found(.quick)
    #expect(found.contains { $0.contains("ZNOTE_ZFOLDER_INDEX") }, "\(found)")
    try migrated.removeBroken()
  }

  @Test func `a thousand differences are named and all are counted`() throws {
    let migrated = try MigratedNotes()
    try migrated.destination.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 1299)
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) SELECT i, 3, 1 FROM n;
      """
    )
    let report = try migrated.report(.full)
    #expect(report.counts == ["extraRow": 1200, "primaryKey": 1])
    #expect(report.differences.count == 1000)
    #expect(report.differenceCount == 1201)
    #expect(!report.isVerified)
  }

  @Test func `pairs in another order of their row ids are the same pairs`() throws {
    let migrated = try MigratedNotes()
    try migrated.destination.execute(
      """
      CREATE TEMP TABLE pairs AS SELECT * FROM Z_2TAGS ORDER BY rowid DESC;
      DELETE FROM Z_2TAGS;
      INSERT INTO Z_2TAGS SELECT * FROM temp.pairs;
      """
    )
    let report = try migrated.report(.full)
    #expect(report.sentences == [])
    #expect(report.rowsCompared == 2 + 5 + 20 + 40)
  }

  @Test func `rows are the same whose records have other bytes`() throws {
    let migrated = try MigratedNotes()
    // A whole number is stored as an integer, and rows written before a column came lack it.
    try migrated.destination.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'ZRANK FLOAT', 'ZRANK') WHERE name = 'ZNOTE';
      """
    )
    try migrated.destination.execute("UPDATE ZNOTE SET ZRANK = CAST(ZRANK AS REAL)")
    #expect(try migrated.report(.full).rowsCompared == 2 + 5 + 20 + 40)
    #expect(try migrated.found(.full) == ["Note, ZNOTE.ZRANK: expected FLOAT, found nothing"])
  }

  @Test func `differences far apart are found, and rows between them are counted once`() throws {
    let migrated = try MigratedNotes()
    try migrated.destination.execute(
      """
      UPDATE ZNOTE SET ZTITLE = 'x' WHERE Z_PK IN (1, 39);
      UPDATE ZNOTE SET Z_PK = 9223372036854775807 WHERE Z_PK = 21;
      UPDATE ZNOTE SET Z_PK = -5 WHERE Z_PK = 23;
      """
    )
    let report = try migrated.report(.full)
    #expect(report.rowsCompared == 2 + 5 + 20 + 40)
    let objects = report.differences.filter {
      $0.entity == "Note" && $0.property != "tags" && $0.kind != .primaryKey
    }
    #expect(
      objects.map(\.description) == [
        "Note -5: the object is not expected",
        #"Note 1, title: expected "note 1", found "x" (made from Note 1)"#,
        "Note 21: the object is missing (made from Note 21)",
        "Note 23: the object is missing (made from Note 23)",
        #"Note 39, title: expected "note 39", found "x" (made from Note 39)"#,
        "Note 9223372036854775807: the object is not expected",
      ]
    )
  }

  @Test func `a destination that cannot be read is an error, and nothing is left`() throws {
    let migrated = try MigratedNotes()
    try Files.write(
      try Files.read(migrated.destination.path).prefix(20_480).map(\.self),
      to: migrated.destination.path
    )
    let before = try migrated.directory.bytes()
    #expect(throws: MigrationError.self) { try migrated.report(.full) }
    #expect(try migrated.directory.bytes() == before)
    try migrated.removeBroken()
  }

  @Test func `another source is refused`() throws {
    let migrated = try MigratedNotes()
    try StoreFile(migrated.plan.source.store).execute("DELETE FROM ZNOTE WHERE Z_PK = 1")
    let error = #expect(throws: MigrationError.self) { try migrated.report(.full) }
    #expect(error.map { "\($0)".contains("has changed") } == true)
  }
}
