import BulkModel
import BulkTestSupport
import Foundation
import Testing

@Suite(
  "The program, comparing plans and mappings",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct DifferenceTests {
  private let program: Program

  init() throws { program = try Program() }

  private func plan(_ words: String...) throws {
    let run = try program(Program.plan + words)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `a plan made again from the same inputs does not differ`() throws {
    try plan()
    let run = try program("plan", "--diff", "bulkmigrate.plan.json", "--detailed-exitcode")
    #expect(run.status == 0)
    #expect(run.output == "no difference\n")
    #expect(run.errors == "")
  }

  @Test func `a changed store is told by its counts, by plan and by run`() throws {
    try plan()
    try StoreFile(program.directory.path("Notes.sqlite"))
      .execute("DELETE FROM ZNOTE WHERE Z_PK = 2")
    let run = try program("plan", "--diff", "bulkmigrate.plan.json", "--detailed-exitcode")
    #expect(run.status == 2)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 4, "\(run.output)")
    #expect(lines[0].hasPrefix("SUBJECT "))
    #expect(lines[1].hasPrefix("source store  input  state "))
    #expect(lines[2].split(separator: " ") == ["Note", "rows", "3", "2"])
    #expect(lines[3].hasPrefix("whole plan    bytes"))
    let failure = try program.failure(["run"])
    #expect(failure.status == 5)
    #expect(failure.errors.hasPrefix("a new plan would say:\n"))
    #expect(failure.errors.contains("\n  Note        rows "))
  }

  @Test func `a store that is rewritten in its own version is planned again and verified`() throws {
    let plan = try program(
      "plan",
      "-q",
      "--source",
      "Notes.sqlite",
      "--source-model",
      "v1.mom",
      "--destination",
      "New.sqlite",
      "--destination-model",
      "v1.mom",
      "--rebuild"
    )
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(try program("plan", "--diff", "bulkmigrate.plan.json").output == "no difference\n")
    #expect(try program("run", "-q").status == 0)
    let verified = try program("verify", "--level", "full")
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(verified.output.hasSuffix("New.sqlite: full, 3 rows compared, nothing differs\n"))
  }

  @Test func `two plans are compared as JSON`() throws {
    try plan("-o", "a.json")
    let filter = """
      { "bulkmigrate": "mapping/1", "entityMappings": [
        { "source": "Note", "destination": "Note", "filter": "title != nil" } ] }
      """
    try program.write(filter, to: "all.json")
    try plan("--mapping", "all.json", "-o", "b.json")
    let run = try program("plan", "--diff", "a.json", "b.json", "--json")
    #expect(run.status == 0)
    let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let differences = try #require(report?["differences"] as? [[String: String]])
    #expect(differences.contains { $0["aspect"] == "input" && $0["subject"] == "mapping" })
    #expect(
      differences.contains(
        ["subject": "Note", "aspect": "fate", "before": "transformed"]
      )
    )
    #expect(differences.contains { $0["subject"] == "NoteToNote" && $0["aspect"] == "fate" })
  }

  @Test func `a mapping is compared with what it was`() throws {
    func write(_ value: String, to name: String) throws {
      let text = """
        { "bulkmigrate": "mapping/1",
          "source": { "model": "v1.mom" }, "destination": { "model": "v2.mom" },
          "entityMappings": [
            { "source": "Note", "destination": "Note", "attributes": { "stars": \(value) } } ] }
        """
      try program.write(text, to: name)
    }
    try write("1", to: "a.json")
    try write("2", to: "b.json")
    let run = try program("mapping", "--diff", "a.json", "b.json")
    #expect(run.status == 0)
    #expect(
      run.output == """
        NoteToNote
          attribute stars
            before  1
            after   2

        """
    )
    #expect(try program("mapping", "--diff", "a.json", "a.json").output == "no difference\n")
  }

  @Test func `proposals are written beside a starter`() throws {
    for name in ["Memo", "Letter"] {
      let model = try ManagedObjectModel.of(
        EntityDescription(name, [.optional("title"), .optional("text")])
      )
      try TestStore.write(model, to: program.directory.path("\(name).mom"))
    }
    let run = try program(
      "mapping",
      "--init",
      "--source-model",
      "Memo.mom",
      "--destination-model",
      "Letter.mom",
      "-o",
      "all.json"
    )
    #expect(run.status == 0)
    #expect(
      run.errors == """
        mapping written to all.json
        to be considered: Memo may be called Letter now: both have text, title
        mapping with all of these carried out written to \(program.directory.path)/all.proposed.json

        """
    )
    #expect(try program("mapping", "--check", "all.proposed.json").status == 0)
  }

  @Test(
    arguments: [
      (["plan", "--diff", "no.json"], 66, "no.json"),
      (["plan", "other.json"], 64, "other.json"),
      (["mapping", "--diff", "a.json"], 64, "OTHER"),
      (["mapping", "--check", "a.json", "b.json"], 64, "b.json"),
      (["mapping", "--diff", "a.json", "b.json", "-o", "c.json"], 64, "--diff writes no file"),
    ] as [([String], Int32, String)]
  )
  func `what cannot be compared is refused`(words: [String], status: Int32, text: String) throws {
    let failure = try program.failure(words)
    #expect(failure.status == status)
    #expect(failure.errors.contains(text), "\(failure.errors)")
  }
}
