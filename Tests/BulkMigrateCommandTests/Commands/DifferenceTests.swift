import BulkTestSupport
import Testing

struct DifferenceTests {
  private let program: Program

  init() throws { program = try Program(.call) }

  private func plan(_ words: String...) throws {
    try program(Program.plan + words, ending: 0)
  }

  /// The store is rewritten in its own version.
  @Test func `a plan made again differs once the store has changed, by its counts`() throws {
    let rebuild = Program.plan.map { $0 == "v2.mom" ? "v1.mom" : $0 }
    #expect(
      try program(rebuild + ["--source-model", "v1.mom", "--strategy", "rebuild"]).status == 0
    )
    let again = ["plan", "--diff", "bulkmigrate.plan.json", "--detailed-exitcode"]
    let same = try program(again, ending: 0)
    #expect(same.output == "no difference\n")
    #expect(same.errors == "")
    #expect(try program("run", "-q").status == 0)
    let verified = try program("verify", "--level", "full", ending: 0)
    #expect(verified.output.hasSuffix("New.sqlite: full, 3 rows compared, nothing differs\n"))
    try StoreFile(program.directory.path("Notes.sqlite"))
      .execute("DELETE FROM ZNOTE WHERE Z_PK = 2")
    let run = try program(again, ending: 2)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 4, "\(run.output)")
    #expect(lines[1].hasPrefix("source store  input  state "))
    #expect(lines[2].split(separator: " ") == ["Note", "rows", "3", "2"])
    #expect(lines[3].hasPrefix("whole plan    bytes"))
    try FileManager.default.removeItem(atPath: program.directory.path("New.sqlite"))
    let failure = try program(["run"])
    #expect(failure.status == 5)
    #expect(failure.errors.hasPrefix("a new plan would say:\n"))
    #expect(failure.errors.contains("\n  Note        rows "))
  }

  @Test func `two plans are compared as JSON, and two mappings as text`() throws {
    for (name, more) in [
      ("a", #""attributes": { "stars": 1 }"#),
      ("b", #""filter": "title != nil", "attributes": { "stars": 2 }"#),
    ] {
      try program.write(
        """
        { "bulkmigrate": "mapping/1",
          "source": { "model": "v1.mom" }, "destination": { "model": "v2.mom" },
          "entityMappings": [ { "source": "Note", "destination": "Note", \(more) } ] }
        """,
        to: "\(name).json"
      )
    }
    try plan("-o", "a.plan")
    try plan("--mapping", "b.json", "-o", "b.plan")
    let run = try program("plan", "--diff", "a.plan", "b.plan", "--json", ending: 0)
    let differences = try #require(run.object()["differences"] as? [[String: String]])
    #expect(differences.contains { $0["aspect"] == "input" && $0["subject"] == "mapping" })
    #expect(
      differences.contains(
        ["subject": "Note", "aspect": "outcome", "before": "transformed"]
      )
    )
    #expect(differences.contains { $0["subject"] == "NoteToNote" && $0["aspect"] == "outcome" })
    let mappings = try program("mapping", "diff", "a.json", "b.json", ending: 0)
    #expect(mappings.output.hasPrefix("NoteToNote\n  filter"), "\(mappings.output)")
    #expect(
      mappings.output.hasSuffix("  attribute stars\n    before  1\n    after   2\n"),
      "\(mappings.output)"
    )
    #expect(try program("mapping", "diff", "a.json", "a.json").output == "no difference\n")
  }

  @Test func `proposals are written beside a starter`() throws {
    for name in ["Memo", "Letter"] {
      try program.write(
        .of(EntityDescription(name, [.optional("title"), .optional("text")])),
        to: "\(name).mom"
      )
    }
    let words = "mapping init --source-model Memo.mom --destination-model Letter.mom -o ".words
    let run = try program(words + ["all.json"], ending: 0)
    #expect(run.errors.contains("Memo may be called Letter now: both have text, title"))
    #expect(run.errors.hasSuffix("written to all.proposed.json\n"))
    #expect(try program("mapping", "check", "all.proposed.json").status == 0)
    program.remove("all.json")
    try program(words + ["all.json"], ending: 73)
    #expect(try !program.directory.contents().contains("all.json"))
  }
}
