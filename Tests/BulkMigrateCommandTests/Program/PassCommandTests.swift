import BulkTestSupport
import Foundation
import Testing

@Suite(
  "Passes from the command line",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct PassCommandTests {
  private let migration = try? Interrupted(divided: 250)

  @Test func `each pass can be run alone, in the order of the plan`() throws {
    let migration = try #require(migration)
    let early = try migration("run", "--pass", "notes")
    #expect(early.status == 64)
    #expect(
      early.errors.contains(
        "pass notes comes after pass attachments, which is not done; do that one first"
      )
    )
    #expect(try migration.isTidy())
    let first = try migration("run", "--pass", "attachments")
    #expect(first.status == 6)
    // The notes with an image.
    #expect(first.errors.contains("pass 1 of 2, attachments: 111 rows"))
    #expect(first.errors.contains("pass attachments is done, and others are left"))
    // It is done already.
    #expect(try migration("run", "--pass", "1").status == 6)
    let second = try migration("run", "--pass", "2")
    #expect(second.status == 0)
    #expect(!second.errors.contains("pass 1 of 2"))
    #expect(second.errors.contains("pass 2 of 2, notes: 250 rows"))
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.isTidy())
  }

  @Test func `a pass that was begun alone is finished by an ordinary run`() throws {
    let migration = try #require(migration)
    #expect(try migration("run", "--pass", "attachments").status == 6)
    #expect(try migration("resume").status == 0)
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `the plan tells of the passes, and what is set in which`() throws {
    let migration = try #require(migration)
    let words = [
      "plan", "--source", "Source.sqlite", "--source-model", "A.xcdatamodel", "--destination",
      "Other.sqlite", "--destination-model", "B.xcdatamodel", "--mapping", "attachments.json",
      "--mapping", "notes.json", "--output", "other.plan.json", "--summary", "--explain",
    ]
    let planned = try migration.program(words)
    #expect(planned.status == 0)
    let lines = planned.output.split(separator: "\n").map(String.init)
    let table = try #require(lines.firstIndex { $0.contains("PASS") })
    #expect(
      Array(lines[table...(table + 2)]) == [
        "  PASS  NAME         ENTITIES         ROWS     BYTES  CHANGES",
        "     1  attachments         1  at most 250  17.8 KiB  Attachment made",
        "     2  notes               1          250  17.8 KiB  Note changed",
      ]
    )
    let explanation = try #require(lines.firstIndex { $0.hasPrefix("pass 1 of 2") })
    #expect(
      Array(lines[explanation...]) == [
        "pass 1 of 2, attachments: nothing ties its entities",
        "pass 2 of 2, notes: nothing ties its entities",
        "  and sets, with objects of earlier passes",
        "    Attachment.note ↔ Note.attachment",
      ]
    )
  }

  @Test func `a plan in Markdown has tables of what changes`() throws {
    let migration = try #require(migration)
    #expect(
      try migration.program("show", "--markdown").output == #"""
        **Source.sqlite → Big.sqlite**: 2 entities: 1 changed, 1 made; nothing is lost

        pass 1 of 2, attachments: 1 made; at most 250 rows, at most about 17.8 KiB, at most about 0.1s

        | ENTITY | ROWS | CHANGE |
        | --- | --: | --- |
        | + Attachment | at most 250 | made from Note: only where image \!= nil |
        |  |  | relationship note = objects made by NoteToNote from \$source |

        pass 2 of 2, notes: 1 changed; 250 rows, about 17.8 KiB, about 0.1s

        | ENTITY | ROWS | CHANGE |
        | --- | --: | --- |
        | \~ Note | 250 | changed: attribute title = uppercase:(\$source.title) |
        |  |  | relationship attachment = objects made by NoteToAttachment from \$source |

        """#
    )
    for words in [["--entity", "Note"], ["--explain"], ["--summary"], ["--json"]] {
      #expect(try migration.program(["show", "--markdown"] + words).status == 64)
    }
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
      "plan", "--source", "Source.sqlite", "--source-model", "A.xcdatamodel", "--destination",
      "Some.sqlite", "--destination-model", "A.xcdatamodel", "--mapping", "some.json", "--output",
      "some.plan.json", "--markdown",
    ]
    let planned = try migration.program(words)
    #expect(planned.status == 0, "\(planned.errors)")
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
      "plan", "--source", "Source.sqlite", "--source-model", "A.xcdatamodel", "--destination",
      "Other.sqlite", "--destination-model", "B.xcdatamodel", "--no-infer",
    ]
    let planned = try migration.program(words)
    #expect(planned.status == 65)
    #expect(
      planned.errors.contains("and with --no-infer nothing is inferred; name one with --mapping")
    )
  }

  @Test func `an unknown pass is refused, and nothing is started`() throws {
    let migration = try #require(migration)
    let run = try migration("run", "--pass", "Notes")
    #expect(run.status == 64)
    #expect(
      run.errors.contains(
        "the plan has no pass Notes; known are attachments, notes; nothing was started"
      )
    )
    #expect(try migration.isTidy())
  }

  @Test func `a report says what each pass took`() throws {
    let migration = try #require(migration)
    let first = try migration("run", "--json", "--pass", "attachments")
    #expect(first.output.contains(#""exitCode":6"#))
    let report = try migration("resume", "--json").output
    let passes = try #require(
      (try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any])?["passes"]
        as? [[String: Any]]
    )
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
    let report = try migration("resume", "--json").output
    let passes = try #require(
      (try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any])?["passes"]
        as? [[String: Any]]
    )
    #expect(passes.map { $0["rows"] as? Int } == [111, 250])
  }

  @Test func `after a kill behind any durable step of any pass the same bytes come out`() throws {
    let migration = try #require(migration)
    let steps = try migration.steps("run")
    #expect(try migration.migrated() == migration.undisturbed)
    for step in 1...steps {
      #expect(try migration.isKilled(at: "step:\(step)"))
      #expect(try migration.outcome("step \(step)") == nil)
    }
  }

  @Test func `passes run alone may be killed behind any step`() throws {
    let migration = try #require(migration)
    let words = { (pass: String, failpoint: String?) in
      try migration("run", "-q", "--pass", pass, failpoint: failpoint).status
    }
    var step = 1
    while try words("attachments", "step:\(step)") == -9 { step += 5 }
    step = 1
    while try words("notes", "step:\(step)") == -9 { step += 5 }
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.isTidy())
  }
}
