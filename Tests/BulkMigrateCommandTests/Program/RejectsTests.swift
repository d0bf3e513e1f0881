import BulkModel
import BulkTestSupport
import Foundation
import Testing

@Suite(
  "The program, with what was left out",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct RejectsTests {
  private let program: Program

  /// The third note has no title, which another model requires.
  init() throws {
    program = try Program()
    try TestStore.write(
      .of(EntityDescription("Note", [.required("title")])),
      to: program.directory.path("strict.mom")
    )
    try program.write(
      """
      { "bulkmigrate": "mapping/1", "entityMappings": [
        { "source": "Note", "destination": "Note", "attributes": { "title": "$source.title" } } ] }
      """,
      to: "all.json"
    )
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
      "strict.mom",
      "--mapping",
      "all.json"
    )
    try #require(plan.status == 0, "\(plan.errors)")
  }

  @Test func `the page of a run that it ended names it, and that of its state the file`() throws {
    #expect(try program("run", "-q", "--report", "run.html").status == 65)
    let page = try String(contentsOfFile: program.directory.path("run.html"), encoding: .utf8)
    #expect(page.contains("data-of=\"First objects\">Note 4</td>"))
    let state = try program("report", "-q", "-o", "-").output
    #expect(state.contains(">failed</strong>"))
    #expect(state.contains("New.sqlite.bulkmigrate/violations.jsonl</span>"))
  }

  @Test func `it is counted, shown, verified, corrected and replayed`() throws {
    let run = try program("run", "-q", "--on-error", "quarantine")
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("warning: 1 object is left out; see "), "\(run.errors)")
    let list = try program("rejects", "list")
    #expect(list.status == 0)
    #expect(list.output.contains("\nNote       1  "), "\(list.output)")
    let shown = try program("rejects", "show", "Note", "4")
    #expect(shown.output.hasPrefix(#"{"entity": "Note", "key": 4, "#), "\(shown.output)")
    #expect(try program("rejects", "show", "Note", "1").output == "")
    #expect(try program("verify", "--level", "full").status == 0)
    let report = try program("report", "New.sqlite.bulkmigrate", "-q", "-o", "-")
    #expect(report.status == 0, "\(report.errors)")
    #expect(report.output.contains("data-of=\"First objects\">4</td>"))
    let before = try program.directory.contents()
    let failed = try program.failure(["rejects", "replay"])
    #expect(failed.status == 65)
    #expect(try program.directory.contents() == before)
    let file = program.directory.path("New.sqlite.bulkmigrate/rejects/Note.jsonl")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacingOccurrences(of: #""title": null"#, with: #""title": "d""#)
      .write(toFile: file, atomically: true, encoding: .utf8)
    let replayed = try program("rejects", "replay")
    #expect(replayed.status == 0, "\(replayed.errors)")
    #expect(
      replayed.output == """
        \(program.directory.path)/New.sqlite: 3 rows, nothing left out; the store that it was is \
        \(program.directory.path)/New~.sqlite

        """
    )
    #expect(try program("rejects").output == "nothing was left out\n")
    #expect(
      try program.migrated.rows(of: "ZNOTE", "Z_PK", "ZTITLE")
        == [[1, "a"], [2, "b"], [4, "d"]]
    )
    let verified = try program("verify", "--level", "full")
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    #expect(try program("report", "New.sqlite.bulkmigrate", "-q", "-o", "-").status == 0)
  }

  @Test func `without what was corrected a verification says what it lacks, and leaves nothing`()
    throws
  {
    try correct()
    #expect(try replay().status == 0)
    try FileManager.default.removeItem(atPath: program.directory.path("New.sqlite.bulkmigrate"))
    let before = try program.directory.contents()
    let verified = try program.failure(["verify", "--level", "full"])
    #expect(verified.status == 65)
    #expect(
      verified.errors.hasPrefix(
        "bulkmigrate: DIR/New.sqlite cannot be compared row by row, since by the plan no store can be made of "
          + "the source; where objects were left out or corrected, name the state directory of that run with "
          + "--state-dir:\n"
      ),
      "\(verified.errors)"
    )
    #expect(try program.directory.contents() == before)
  }

  @Test func `a run that is asked again after a replay has left nothing out`() throws {
    #expect(
      try program("run", "-q", "--resume-if-started", "--on-error", "quarantine").status == 3
    )
    let file = program.directory.path("New.sqlite.bulkmigrate/rejects/Note.jsonl")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacingOccurrences(of: #""title": null"#, with: #""title": "d""#)
      .write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try replay().status == 0)
    let again = try program("run", "--resume-if-started", "--on-error", "quarantine")
    #expect(again.status == 0, "\(again.errors)")
  }

  /// Leaves the note out, and corrects its title in the file.
  private func correct() throws {
    #expect(try program("run", "-q", "--on-error", "quarantine").status == 3)
    let file = program.directory.path("New.sqlite.bulkmigrate/rejects/Note.jsonl")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacingOccurrences(of: #""title": null"#, with: #""title": "d""#)
      .write(toFile: file, atomically: true, encoding: .utf8)
  }

  private func replay(_ failpoint: String? = nil) throws -> ProcessRun {
    try program(
      ["rejects", "replay"],
      environment: failpoint.map { ["BULKMIGRATE_FAILPOINT": $0] } ?? [:]
    )
  }

  /// Removes the store and the one that was kept.
  private func clear() throws {
    for name in ["New.sqlite", "New~.sqlite"] {
      try FileManager.default.removeItem(atPath: program.directory.path(name))
    }
  }

  @Test func `a replay may be killed behind any durable step`() throws {
    try correct()
    let counted = try replay("count").errors.split(separator: "\n").last
    let steps = try #require(counted.flatMap { Int($0.dropFirst("steps: ".count)) })
    #expect(steps > 8)
    for step in 1...steps {
      try clear()
      try correct()
      #expect(try replay("step:\(step)").status == -9, "step \(step)")
      // Behind the last steps nothing is left to do; what was not removed yet stays in the folder.
      let rest = try replay()
      #expect(rest.status == 0, "step \(step): \(rest.errors)")
      #expect(
        try program.migrated.rows(of: "ZNOTE", "Z_PK", "ZTITLE")
          == [[1, "a"], [2, "b"], [4, "d"]],
        "step \(step)"
      )
      #expect(
        try !program.directory.contents().contains {
          $0.contains("/rejects") || $0.contains("/replay/")
        },
        "step \(step)"
      )
    }
  }

  @Test(
    arguments: [
      (["rejects", "remove"], "'remove'"), (["rejects", "show"], "ENTITY"),
      (["run", "--on-error", "maybe"], "'maybe'"), (["run", "--max-rejects", "few"], "'few'"),
      (["run", "--max-rejects", "200%"], "'200%'"),
      (["rejects", "show", "Note", "0x1"], "KEY: '0x1' is not a number\n"),
      (["rejects", "--plan", ""], "an empty name is not a plan; make one with"),
      (["run", "--dependants", "x"], "'x'"),
    ] as [([String], String)]
  )
  func `what is not understood is refused`(words: [String], text: String) throws {
    if words == ["rejects", "show"] {
      #expect(try program("run", "-q", "--on-error", "quarantine").status == 3)
    }
    let failure = try program.failure(words)
    #expect(failure.status == (words.contains("--plan") ? 66 : 64))
    #expect(failure.errors.contains(text), "\(failure.errors)")
  }
}
