import BulkTestSupport
import Testing

@Suite("Passes from the command line", .program)
struct PassCommandTests {
  private let migration: Interrupted

  init() throws { migration = try Interrupted(divided: 250) }

  @Test func `a plan in Markdown has tables of what changes, and names filters`() throws {
    let shown = try migration.program("plan", "bulkmigrate.plan.json", "--markdown").output
    // The description is that of a terminal.
    #expect(shown.hasPrefix("- source: Source.sqlite  ("), "\(shown)")
    for part in [
      "\n  - model: B.mom\n", "nothing of the source is lost\n\npass 1 of 2, attachments: 1 made; ",
      "\n\n| ENTITY | ROWS | CHANGE |\n| --- | --: | --- |\n",
      #"| + Attachment | at most 250 | made from Note: only where image \!= nil |"#,
      #"|  |  | relationship note = objects made by NoteToNote from \$source |"#,
      "\n\npass 2 of 2, notes: 1 changed; 250 rows, ",
      #"| \~ Note | 250 | changed: attribute title = uppercase:(\$source.title) |"#,
      "\n\n- memory: --max-memory of at least",
      "\n\n2 entities: 1 changed, 1 made; nothing is lost\n",
    ] { #expect(shown.contains(part), "\(part) in \(shown)") }
    #expect(
      try migration.program("plan", "bulkmigrate.plan.json", "--markdown", "--json").status == 64
    )
  }

  @Test func `a run tells with -v what became of every entity`() throws {
    let run = try migration("run", "-v").ending(0)
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

  /// Interrupted in the first batch of a pass, and in later ones, or not at all.
  @Test(arguments: [nil, "commit:1", "commit:2", "commit:3", "commit:5"])
  func `a report says what each pass took, over all attempts`(step: String?) throws {
    if let step { try #require(try migration.isKilled(at: step)) }
    let report = try migration(step == nil ? "run" : "resume", "-q", "--json").object()
    let passes = try #require(report["passes"] as? [[String: Any]])
    #expect(passes.map { $0["name"] as? String } == ["attachments", "notes"])
    #expect(passes.map { $0["rows"] as? Int } == [111, 250])
    #expect(passes.allSatisfy { ($0["memoryBytes"] as? Int ?? 0) > 0 })
    #expect(passes.allSatisfy { $0["isDone"] as? Bool == true })
  }
}
