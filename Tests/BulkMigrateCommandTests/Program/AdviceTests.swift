import BulkTestSupport
import Testing

/// What the program answers where something else was meant, and what is to be typed instead.
@Suite("Advice", .program)
struct AdviceTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.shell(
      """
      rm -rf ./* && cp -R '\(Program.plans)/demo/.' . \\
        && "$0" fixture -q --model Notes.xcdatamodeld/Notes.xcdatamodel --rows Note=30,Folder=3,Tag=3 \\
          -o Notes.sqlite >/dev/null \\
        && "$0" plan -q --mapping notes.json >/dev/null
      """
    ).ending(0)
  }

  @Test func `a plan is shown again as it was shown`() throws {
    let planned = try program("plan", "--mapping", "notes.json")
    let shown = try program("plan", "bulkmigrate.plan.json", ending: 0)
    // The least memory contains what the process holds at its beginning.
    let lines = [planned, shown].map { run in
      run.output.split(separator: "\n").filter { !$0.hasPrefix("memory ") }
    }
    #expect(lines[0] == lines[1])
    #expect(lines[1].contains("  + Label      3  made from Tag"))
    #expect(
      lines[1].last == "5 entities: 1 changed, 2 made, 1 removed, 1 copied; nothing is lost"
    )
    #expect(try program("plan", "-q", "--mapping", "notes.json").output == "")
  }

  @Test func `a plan of many entities has a line for each pass, unless all is asked for`() throws {
    let names = (1...21).map { "E\($0)" }
    let before = try ManagedObjectModel(
      entities: names.map { EntityDescription($0, [.optional("a")]) }
    )
    let after = try ManagedObjectModel(
      entities: names.map { EntityDescription($0, [.optional("a"), .optional("b")]) }
    )
    try program.write(after, to: "many.mom")
    _ = try TestStore(before, TestObject("E7", 1, ["a": "x"]))
      .write(to: program.directory.path("Many.sqlite"))
    let words = [
      "plan", "--source", "Many.sqlite", "--destination", "More.sqlite", "--destination-model",
      "many.mom", "--output", "many.json",
    ]
    let text = try program(words).output
    #expect(text.contains("  PASS  NAME  ENTITIES  ROWS "), "\(text)")
    #expect(text.contains("to see every entity, pass --full"))
    #expect(try program(words + ["--full"]).output.contains("  ~ E21 "))
  }

  @Test func `what is done does not wait or go on`() throws {
    try #require(try program("run", "-q").status == 0)
    for command in [["control", "--pause"], ["resume"]] {
      let failure = try program(command).ending(66)
      #expect(failure.errors.contains("the migration is done: Notes-v2.sqlite is complete"))
    }
  }

  @Test func `migrate, which leaves nothing out, does not advise to`() throws {
    let title = #""title": "uppercase:($source.title)""#
    let mapping = try program.text(of: "notes.json")
    try program.write(
      mapping.replacing(
        title,
        with: title + #", "stars": "$source.stars / ($source.stars - $source.stars)""#
      ),
      to: "all.json"
    )
    let migrated = try program(
      "migrate",
      "Notes.sqlite",
      "--destination-model",
      "Notes.xcdatamodeld/Notes v2.xcdatamodel",
      "--mapping",
      "all.json",
      "--max-loss",
      "all"
    ).ending(65)
    #expect(migrated.errors.contains("30 values cannot be computed; no destination was made:\n"))
    #expect(!migrated.errors.contains("--on-error"))
    #expect(try !program("status", "Notes.sqlite").output.contains("--on-error"))
    try #require(try program("plan", "-q", "--mapping", "all.json").status == 0)
    let run = try program("run", "-q", ending: 65)
    #expect(run.errors.hasSuffix("repeat the command with --on-error quarantine\n"))
  }
}
