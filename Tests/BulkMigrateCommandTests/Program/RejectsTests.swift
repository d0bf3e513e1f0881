import BulkTestSupport
import Testing

@Suite("The program, with what was left out", .program)
struct RejectsTests {
  private let program: Program
  private static let notes: [[StoredValue]] = [[1, "a"], [2, "b"], [4, "d"]]

  init() throws {
    program = try Program()
    try program.writeStrict()
    try program("plan", "-q", "--mapping", "all.json", ending: 0)
  }

  private func migrated() throws -> [[StoredValue]] {
    try program.migrated.rows(of: "ZNOTE", "Z_PK", "ZTITLE")
  }

  /// Leaves the note out, and corrects its title in the file.
  private func correct(_ words: String...) throws {
    #expect(try program(["run", "-q", "--on-error", "quarantine"] + words).status == 3)
    try program.correct(title: "d")
  }

  @Test func `the page of a run that it ended names it, and that of its state the file`() throws {
    #expect(try program("run", "-q", "--report", "run.html").status == 65)
    let page = try program.text(of: "run.html")
    #expect(page.contains("data-of=\"First objects\">Note 4</td>"))
    let state = try program("report", "-q", "-o", "-").output
    #expect(state.contains(">failed</strong>"))
    #expect(state.contains("New.sqlite.bulkmigrate/violations.jsonl</span>"))
  }

  @Test func `it is counted, shown, verified, corrected and replayed`() throws {
    let run = try program("run", "-q", "--on-error", "quarantine", ending: 3)
    #expect(run.errors.hasPrefix("warning: 1 object is left out; see "), "\(run.errors)")
    #expect(try program("rejects", "list").output.contains("\nNote       1  "))
    let shown = try program("rejects", "show", "Note", "4")
    #expect(shown.output.hasPrefix(#"{"entity": "Note", "key": 4, "#), "\(shown.output)")
    let path = "New.sqlite.bulkmigrate/rejects/Note.jsonl"
    let text = try program.text(of: path)
    let key = #""key": 4, "#
    try program.write(text.replacing(key, with: key + #""x": {"key": 1, "y": 2}, "#), to: path)
    let absent = try program("rejects", "show", "Note", "1", ending: 64)
    #expect(
      absent.errors.hasPrefix("bulkmigrate: Note 1 was not left out\n") && absent.output == ""
    )
    try program.write(text, to: path)
    #expect(try program("rejects", "show", ending: 64).errors.contains("ENTITY"))
    #expect(try program("verify", "--level", "full").status == 0)
    let report = try program("report", "New.sqlite.bulkmigrate", "-q", "-o", "-")
    #expect(report.output.contains("data-of=\"First objects\">4</td>"))
    let before = try program.directory.contents()
    #expect(try program("rejects", "replay").status == 65)
    // The list of what still fails stays.
    let kept = try program.directory.contents().filter { !$0.contains("/replay") }
    #expect(kept == before)
    try program.correct(title: "d")
    let replayed = try program("rejects", "replay", ending: 0)
    #expect(
      replayed.output.contains("New.sqlite: 3 rows, nothing left out; the old store is kept as")
    )
    #expect(try program("rejects").output == "nothing was left out\n")
    #expect(try migrated() == Self.notes)
    try program("verify", "--level", "full", ending: 0)
    #expect(try program("report", "New.sqlite.bulkmigrate", "-q", "-o", "-").status == 0)
    // Without what was corrected a verification tells what it lacks, and leaves nothing.
    program.remove("New.sqlite.bulkmigrate")
    let after = try program.directory.contents()
    let lacking = try program("verify", "--level", "full", ending: 65)
    #expect(
      lacking.errors.contains("New.sqlite cannot be compared row by row:")
        && lacking.errors.contains("--state-dir"),
      "\(lacking.errors)"
    )
    #expect(try program.directory.contents() == after)
  }

  @Test func `a run that is asked again after a replay has left nothing out`() throws {
    try correct("--resume-if-started")
    #expect(try program("rejects", "replay").status == 0)
    try program("run", "--resume-if-started", "--on-error", "quarantine", ending: 0)
  }

  /// Behind the last steps nothing is left to do; what was not removed yet stays in the folder.
  @Test func `a replay may be killed behind any durable step`() throws {
    let found = try program.killBehindEachStep(
      of: ["rejects", "replay"],
      after: { try correct() },
      made: {
        defer { program.remove("New.sqlite", "New~.sqlite") }
        let left = try program.directory.contents().filter {
          $0.contains("/rejects") || $0.contains("/replay/")
        }
        #expect(left == [])
        return try migrated()
      }
    )
    #expect(found == Self.notes)
  }
}
