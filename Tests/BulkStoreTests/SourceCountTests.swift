import BulkTestSupport
import Testing

struct SourceCountTests {
  private let directory = TemporaryDirectory()
  private let counts: SourceCounts

  /// Nine notes with the keys 1 to 9, of which the even ones have a title and every third a text.
  init() throws {
    let note = EntityDescription("Note", [.optional("title"), .optional("text")])
    let store = try TestStore(.of(note)).write(to: directory.path("notes.sqlite"))
    try store.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
      INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTITLE, ZTEXT)
      SELECT i, 1, iif(i % 2, NULL, 'a'), iif(i % 3, NULL, 'b') FROM n
      """
    )
    counts = SourceCounts(try PersistentStore(path: store.path))
  }

  /// Tables whose rows are counted by an index, by a tree without row ids, or not at all by pages.
  @Test(
    arguments: [
      "CREATE INDEX Other ON T (a)", "CREATE INDEX Part ON T (a) WHERE a > 3",
      "CREATE UNIQUE INDEX Most ON T (a DESC)",
      "DROP TABLE T; CREATE TABLE T (a PRIMARY KEY) WITHOUT ROWID",
    ]
  )
  func `rows are counted as SQL counts them`(sql: String) throws {
    let store = try TestStore(.of(EntityDescription("Note")))
      .write(to: directory.path("counted.sqlite"))
    try store.execute("CREATE TABLE T (a); \(sql)")
    #expect(try PersistentStore(path: store.path).rows(in: "T") == 0)
    try store.execute(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO T SELECT i FROM n"
    )
    #expect(try PersistentStore(path: store.path).rows(in: "T") == 5000)
    #expect(try PersistentStore(path: store.path).rows(in: "t") == 5000)
  }

  @Test(
    arguments: [[], [7], [.min, .max], [1, 2, 3, 4], [1, 2, 3, 1000], [-5, 20]] as [[Int64]]
  )
  func `keys show how many rows there may be`(keys: [Int64]) throws {
    let note = EntityDescription("Note")
    let store = try TestStore(.of(note)).write(to: directory.path("keys.sqlite"))
    for key in keys {
      try store.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT) VALUES (\(key), 1)")
    }
    let opened = try PersistentStore(path: store.path)
    let most = try opened.mostRows(in: "ZNOTE")
    #expect(most >= keys.count && (most == keys.count) == (keys.last != 1000 && keys.last != 20))
    // Few rows are on one page, whose number is exact.
    #expect(try opened.rowsAmongKeys(in: "ZNOTE") == keys.count)
    #expect(try opened.rows(in: "ZNOTE") == keys.count)
    #expect(try opened.mostRows(in: "ZNOTE") == keys.count)
  }

  private static let parts: [SourceCounts.Part] = [
    .value(in: ["ZTITLE"]), .value(in: ["ZTITLE", "ZTEXT"]), .row(satisfyingNone: []),
    .row(satisfyingNone: [[.notNull(.column("ZTITLE")), .notNull(.column("ZTEXT"))]]),
  ]

  // Titles: 2, 4, 6, 8; texts: 3, 6, 9; both: 6.
  private static let expected: [Int64] = [4, 6, 9, 8]

  @Test func `all parts are counted at once`() throws {
    #expect(try counts.rows(with: Self.parts, ofEntity: 1, in: "ZNOTE") == Self.expected)
    #expect(try counts.rows(with: Self.parts, ofEntity: 2, in: "ZNOTE") == [0, 0, 0, 0])
  }

  @Test(
    arguments: [
      [], [4], [1, 2, 3, 4, 5, 6, 7, 8, 9], [6, 2, 6, 7], [.max], [.min, 0, 5, .max, .max],
    ] as [[Int64]]
  )
  func `step by step each row counts once`(keys: [Int64]) throws {
    let steps = try counts.steps(with: Self.parts, ofEntity: 1, in: "ZNOTE")
    for key in keys { try steps.advance(through: key) }
    #expect(try steps.finish() == Self.expected)
  }

  /// Keys of all kinds: of rows, of none, and what is not an integer, in a table whose keys fit into a set or do not.
  @Test(arguments: [[2, 9], [2, 1 << 40]] as [[Int64]])
  func `links count whose row exists`(keys: [Int64]) throws {
    var note = EntityDescription("Note")
    note.relationships = [RelationshipDescription("next", to: "Note")]
    let store = try TestStore(.of(note)).write(to: directory.path("links.sqlite"))
    let links = [
      "2", "'9'", "2.0", "2.5", "x'32'", "NULL", "'two'", "-1", "0", "\(Int64.max)", "3",
    ]
    for key in keys {
      try store.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT) VALUES (\(key), 1)")
    }
    for link in links {
      try store.execute("INSERT INTO ZNOTE (Z_ENT, ZNEXT) VALUES (2, \(link))")
    }
    let counts = SourceCounts(try PersistentStore(path: store.path))
    for entities in [[1], [2], [1, 2], []] as [[Int64]] {
      let condition = ColumnExpression.partner(
        key: .column("ZNEXT"),
        table: "ZNOTE",
        entityIn: entities
      )
      let found = try counts.rows(in: "ZNOTE", where: [condition])
      let list = entities.map(String.init).joined(separator: ", ")
      let expected = try store.rows(
        "SELECT count(*) FROM ZNOTE AS s WHERE EXISTS "
          + "(SELECT 1 FROM ZNOTE AS p WHERE p.Z_PK = s.ZNEXT AND p.Z_ENT IN (\(list)))"
      )
      #expect(expected == [[.integer(found)]])
    }
  }
}
