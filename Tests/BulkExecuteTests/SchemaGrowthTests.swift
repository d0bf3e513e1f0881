#if os(Linux)
import BulkTestSupport
import Testing

/// A store whose schema grows in its place, so that no row is read.
struct SchemaGrowthTests {
  private static func model(more: [AttributeDescription] = []) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", [.optional("title")] + more))
  }

  /// A store with 4,000 notes of a kibibyte each, planned for another model.
  private func planned(to model: ManagedObjectModel) throws -> Planned {
    let store = TestStore(try Self.model(), TestObject("Note", 1, ["title": "a"]))
    return try Planned(store, to: model) {
      try $0.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i, 1, 1, printf('%01000d', i) FROM n;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 4000
        """
      )
    }
  }

  /// Changes the store itself, and returns the plan.
  private func alter(_ planned: Planned) throws -> MigrationPlan? {
    var request = PlanRequest()
    request.sourceModel = planned.directory.path("source.mom")
    request.destinationModel = planned.directory.path("destination.mom")
    var (events, plan) = (MigrationEvents(), MigrationPlan?.none)
    events.planned = { plan = $0 }
    _ = try AlteringMigration(of: planned.source.path, request, .inTestProcess, events: events)
      .run()
    return plan
  }

  /// The bytes that this thread has read (proc(5)).
  private func bytesRead() throws -> Int {
    let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    let words = text.split { $0.isWhitespace }
    return try #require(words.count > 1 ? Int(words[1]) : nil)
  }

  @Test func `an optional attribute is added without reading a row`() throws {
    let planned = try planned(to: Self.model(more: [.optional("subtitle")]))
    try planned.run()
    let before = try bytesRead()
    let plan = try alter(planned)
    #expect(try bytesRead() - before < 1 << 20)
    #expect(plan?.source.isUnread == true)
    #expect(plan?.strategy?.reason == "only the schema grows, so no row is read")
    #expect(
      try planned.source.meaning() == planned.made.meaning()
    )
    #expect(try planned.source.integrity() == [["ok"]])
  }

  @Test func `rows that get a value are read`() throws {
    let planned = try planned(to: Self.model(more: [.required("stars", .integer16, default: 3)]))
    #expect(try alter(planned)?.source.isUnread == false)
    #expect(try planned.source.rows("SELECT DISTINCT ZSTARS FROM ZNOTE") == [[3]])
  }

  @Test func `rows are read where they have to keep another rule`() throws {
    let planned = try planned(to: .of(EntityDescription("Note", [.required("title")])))
    try planned.source.execute("UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK = 7")
    let before = try Files.read(planned.source.path)
    #expect(failure { try alter(planned) }.contains("would be nil in 1 object"))
    #expect(try Files.read(planned.source.path) == before)
  }

  @Test func `a page of rows that is damaged stays as it is`() throws {
    let planned = try planned(to: Self.model(more: [.optional("subtitle")]))
    var bytes = try Files.read(planned.source.path)
    let place = bytes.count / 2 / 4096 * 4096
    for offset in place..<place + 4096 { bytes[offset] ^= 0xFF }
    try Files.write(bytes, to: planned.source.path)
    _ = try alter(planned)
    let after = try Files.read(planned.source.path)
    #expect(after[place..<place + 4096] == bytes[place..<place + 4096])
  }

  @Test func `a damaged list of free pages is refused`() throws {
    let planned = try planned(to: Self.model(more: [.optional("subtitle")]))
    try planned.source.execute("DELETE FROM ZNOTE WHERE Z_PK > 2000")
    var bytes = try Files.read(planned.source.path)
    // The number of free pages, in the header of the file.
    #expect(bytes[36..<40].contains { $0 > 0 })
    bytes[39] ^= 1
    try Files.write(bytes, to: planned.source.path)
    #expect(failure { try alter(planned) }.contains("the file is not as SQLite leaves it"))
    #expect(try Files.read(planned.source.path) == bytes)
  }
}
#endif
