import BulkTestSupport
import Foundation
import Testing

@Suite("Passes from the command line", .program)
struct PassCommandTests {
  private let migration = try? Interrupted(divided: 250)

  @Test func `a plan in Markdown has tables of what changes`() throws {
    let migration = try #require(migration)
    let shown = try migration.program("plan", "bulkmigrate.plan.json", "--markdown").output
    // The description is that of a terminal.
    #expect(shown.hasPrefix("- source: Source.sqlite  ("), "\(shown)")
    #expect(shown.contains("\n  - model: B.mom\n"), "\(shown)")
    #expect(
      shown.contains(
        #"""
        nothing of the source is lost

        pass 1 of 2, attachments: 1 made; at most 250 rows, at most about 17.5 KiB, at most about 0.1s

        | ENTITY | ROWS | CHANGE |
        | --- | --: | --- |
        | + Attachment | at most 250 | made from Note: only where image \!= nil |
        |  |  | relationship note = objects made by NoteToNote from \$source |

        pass 2 of 2, notes: 1 changed; 250 rows, about 17.5 KiB, about 0.1s

        | ENTITY | ROWS | CHANGE |
        | --- | --: | --- |
        | \~ Note | 250 | changed: attribute title = uppercase:(\$source.title) |
        |  |  | relationship attachment = objects made by NoteToAttachment from \$source |

        - memory: at least
        """#
      ),
      "\(shown)"
    )
    #expect(shown.hasSuffix("\n\n2 entities: 1 changed, 1 made; nothing is lost\n"))
    #expect(
      try migration.program("plan", "bulkmigrate.plan.json", "--markdown", "--json").status == 64
    )
  }

  @Test func `a plan in Markdown names the filter of an entity that is copied`() throws {
    let migration = try #require(migration)
    try migration.program.write(
      """
      { "bulkmigrate": "mapping/1", "entityMappings": [
        { "source": "Note", "destination": "Note", "filter": "title != nil",
          "attributes": { "title": "$source.title", "image": "$source.image" } } ] }
      """,
      to: "some.json"
    )
    let words = [
      "plan", "--source", "Source.sqlite", "--source-model", "A.mom", "--destination",
      "Some.sqlite", "--destination-model", "A.mom", "--mapping", "some.json", "--output",
      "some.plan.json", "--markdown",
    ]
    let planned = try migration.program(words, ending: 0)
    #expect(planned.output.contains("copied: only where title \\!= nil |"), "\(planned.output)")
  }

  @Test func `a run tells with -v what became of every entity`() throws {
    let migration = try #require(migration)
    let run = try migration("run", "-v")
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.errors.split(separator: "\n").map(String.init)
    let table = try #require(lines.firstIndex { $0.contains("ENTITY") })
    // 111 of the 250 notes have an image.
    #expect(
      Array(lines[table...(table + 2)]) == [
        "  ENTITY             READ  WRITTEN  LEFT OUT  LOST",
        "  Note → Attachment   250      111       139",
        "  Note                250      250",
      ]
    )
  }

  @Test func `without inference a step without a mapping is refused`() throws {
    let migration = try #require(migration)
    let words = [
      "plan", "--source", "Source.sqlite", "--source-model", "A.mom", "--destination",
      "Other.sqlite", "--destination-model", "B.mom", "--no-infer",
    ]
    let planned = try migration.program(words, ending: 65)
    #expect(
      planned.errors.contains("and with --no-infer nothing is inferred; name one with --mapping")
    )
  }

  @Test func `a report says what each pass took`() throws {
    let migration = try #require(migration)
    let report = try migration("run", "-q", "--json").object()
    let passes = try #require(report["passes"] as? [[String: Any]])
    #expect(passes.map { $0["name"] as? String } == ["attachments", "notes"])
    #expect(passes.map { $0["rows"] as? Int } == [111, 250])
    #expect(passes.allSatisfy { ($0["memoryBytes"] as? Int ?? 0) > 0 })
    #expect(passes.allSatisfy { $0["isDone"] as? Bool == true })
  }

  /// In the first batch of a pass, and in later ones.
  @Test(arguments: ["commit:1", "commit:2", "commit:3", "commit:5"])
  func `a report counts the rows that interrupted attempts wrote`(place: String) throws {
    let migration = try #require(migration)
    #expect(try migration.isKilled(at: place))
    let report = try migration("resume", "-q", "--json").object()
    let passes = try #require(report["passes"] as? [[String: Any]])
    #expect(passes.map { $0["rows"] as? Int } == [111, 250])
  }
}
