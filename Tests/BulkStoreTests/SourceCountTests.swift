import BulkCoding
import BulkModel
import BulkSQLite
import BulkStore
import BulkTestSupport
import Testing

/// Rows that are counted by what they have.
@Suite("Counts of a source")
struct SourceCountTests {
  private let directory: TemporaryDirectory
  private let counts: SourceCounts

  /// Nine notes with the keys 1 to 9, of which the even ones have a title and every third a text.
  init() throws {
    directory = try TemporaryDirectory()
    let note = EntityDescription("Note", [.optional("title"), .optional("text")])
    let store = try SmallStore(at: directory.path("notes.sqlite"), of: [note])
    try store.connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
      INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTITLE, ZTEXT)
      SELECT i, 1, iif(i % 2, NULL, 'a'), iif(i % 3, NULL, 'b') FROM n
      """
    )
    counts = try SourceCounts(PersistentStore(path: store.path))
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
}
