import BulkMigrate
import BulkTestSupport
import Testing

/// What a preflight finds of source objects that give several objects to a relationship of one
/// (formats/migration.md 8.11).
struct SeveralObjectPreflightTests {
  /// Notes 1 and 2 have two tags each, note 3 has one, and note 4 has none.
  private static func planned(_ tag: String) throws -> Planned {
    var store = TestStore(
      try .of(
        .init("Note", [], [.toMany("tags", "Tag.note")]),
        .init("Tag", [], [.toOne("note", "Note.tags")])
      ),
      TestObject("Note", 1, links: ["tags": [1, 2]]),
      TestObject("Note", 2, links: ["tags": [3, 4]]),
      TestObject("Note", 3, links: ["tags": [5]]),
      TestObject("Note", 4)
    )
    store.objects += (1...5).map { TestObject("Tag", $0) }
    return try Planned(
      store,
      to: .of(EntityDescription("Note", [], [.toOne("tag", "Tag")]), .init("Tag")),
      by: [.of("Note", "Note", [:], ["tag": tag]), .of("Tag", "Tag")]
    )
  }

  @Test func `they are counted as a run counts them`() throws {
    let planned = try Self.planned(instances("TagToTag", "$source.tags"))
    let report = try planned.report()
    #expect(
      report.lines(.rule) == [
        "Note.tag: one object, which [FIRST] or anyObject takes of several (2) Note 1, Note 2"
      ]
    )
    #expect(try report.counts == planned.rejected().counts)
    #expect(report.rejected == 2)
  }

  @Test func `nothing is found where the first is taken`() throws {
    let planned = try Self.planned(instances("TagToTag", "$source.tags") + "[FIRST]")
    #expect(try planned.report().lines(.rule) == [])
  }
}
