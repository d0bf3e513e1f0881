import BulkTestSupport
import Testing

struct SharedScanTests {
  /// Two blocks of 16,384 keys, and some more.
  private static let rows = 36_000

  /// Notes of which every third has a picture, divided into notes and pictures.
  private static func planned(highest: Int64 = Int64(rows)) throws -> Planned {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("title"), .optional("image", .binaryData)])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("title")], [.toOne("picture", "Picture.note")]),
      EntityDescription(
        "Picture",
        [.optional("image", .binaryData)],
        [.toOne("note", "Note.picture")]
      )
    )
    var store = TestStore(source)
    store.sql = [
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZIMAGE)
      SELECT i, 1, 1, 'note ' || i, CASE i % 3 WHEN 0 THEN zeroblob(i % 500) END FROM n
      """,
      "UPDATE ZNOTE SET Z_PK = \(highest) WHERE Z_PK = \(rows)",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest)",
    ]
    return try Planned(
      store,
      to: destination,
      by: [
        .of("Note", "Picture", where: "image != nil", ["image": "$source.image"]),
        .of(
          "Note",
          "Note",
          ["title": "$source.title"]
        ),
      ]
    )
  }

  @Test func `tables that one source table fills are filled together`() throws {
    let planned = try Self.planned()
    var migration = Migration(inTestProcess: planned.plan)
    var sinks: [CheckedRowSink] = []
    migration.rowSink = { [usual = migration.rowSink] session, fills in
      let sink = CheckedRowSink(usual(session, fills))
      sinks.append(sink)
      return sink
    }
    let outcome = try migration.run()
    #expect(sinks.flatMap(\.calls).prefix(1) == ["fill ZPICTURE and ZNOTE from ZNOTE"])
    // 36,000 notes and 12,000 pictures.
    #expect(outcome.rows == 48_000)
    #expect(
      try planned.made.rows("SELECT count(*), min(Z_PK), max(Z_PK) FROM ZPICTURE")
        == [[12_000, 3, 36_000]]
    )
    #expect(
      try planned.made.rows("SELECT count(*), sum(length(ZTITLE)) FROM ZNOTE") == [
        [36_000, 348_894]
      ]
    )
  }

  @Test func `keys with a wide gap fill one table after the other`() throws {
    let planned = try Self.planned(highest: 1 << 60)
    let outcome = try planned.run()
    #expect(outcome.rows == 48_000)
    #expect(try planned.made.rows("SELECT count(*) FROM ZPICTURE") == [[12_000]])
  }

  @Test func `SQLite fills such tables one after the other`() throws {
    let planned = try Self.planned()
    var migration = Migration(inTestProcess: planned.plan)
    var sinks: [CheckedRowSink] = []
    migration.rowSink = { session, _ in
      let sink = CheckedRowSink(SQLRowSink(session))
      sinks.append(sink)
      return sink
    }
    _ = try migration.run()
    #expect(
      sinks.flatMap(\.calls).prefix(2) == ["fill ZPICTURE from ZNOTE", "fill ZNOTE from ZNOTE"]
    )
  }

  @Test(arguments: [1, 1_000, 16_384, 20_000] as [Int64])
  func `the bytes do not depend on the size of batches`(batchRows: Int64) throws {
    let expected = try Self.planned()
    try expected.run()
    let planned = try Self.planned()
    try planned.run { $0.batchRows = batchRows }
    #expect(
      try planned.directory.bytes()["destination.sqlite"]
        == expected.directory.bytes()["destination.sqlite"]
    )
  }
}
