import BulkTestSupport
import Testing

@Suite("The program at work", .program)
struct RunTests {
  private let program: Program
  private static let all = [
    "New.sqlite", "Notes.sqlite", "bulkmigrate.plan.json", "v1.mom", "v2.mom",
  ]

  init() throws { program = try Program() }

  @Test func `a plan is made and run, to the same bytes whatever the memory`() throws {
    #expect(try program(Program.plan).status == 0)
    let run = try program("run", "-q", ending: 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("New.sqlite: 3 rows, "))
    #expect(
      try program.migrated.rows(of: "ZNOTE")
        == [[1, 1, 1, 3, "a"], [2, 1, 1, 3, "b"], [4, 1, 1, 3, nil]]
    )
    #expect(try program.directory.contents() == Self.all)
    let first = try program.directory.bytes()
    for options in [["--max-memory", "64M"], ["--max-memory", "2G"], ["-m", "50%"]] {
      program.remove("New.sqlite", "bulkmigrate.plan.json")
      #expect(try program(Program.plan + ["-q"]).status == 0)
      #expect(try program(["run", "-q"] + options).status == 0)
      #expect(try program.directory.bytes() == first, "\(options)")
    }
  }

  @Test func `a plan says at most where a filter may leave rows out`() throws {
    let mapping = """
      { "bulkmigrate": "mapping/1", "entityMappings": [
        { "source": "Note", "destination": "Note", "filter": "title != nil",
          "attributes": { "title": "$source.title" } } ] }
      """
    try program.write(mapping, to: "all.json")
    let plan = try program(Program.plan + ["--mapping", "all.json"], ending: 0)
    for line in [
      "  ~ Note    at most 3  changed: only where title != nil\n",
      "total        at most 3 rows, at most about 67 bytes, at most about 0.1s\n",
    ] {
      #expect(plan.output.contains(line), "\(plan.output)")
    }
    let copied = ["v1.mom", "--mapping", "all.json", "-o", "copied.json"]
    #expect(
      try program(Program.plan.dropLast() + copied).output
        .contains("Note    at most 3  copied: only where title != nil\n")
    )
    #expect(try program("run", "-q", "--max-loss", "1").status == 0)
    #expect(try program.migrated.rows(of: "ZNOTE", "Z_PK") == [[1], [2]])
  }

  @Test func `nothing is run where the store fits already, and the exit code tells it when asked`()
    throws
  {
    #expect(try program(Program.plan + ["--detailed-exitcode"]).status == 2)
    let words: [String] = Program.plan.dropLast() + ["v1.mom"]
    #expect(try program(words + ["--detailed-exitcode"]).status == 0)
    let run = try program("run", "-q", ending: 0)
    #expect(run.output == "the store fits the model already: nothing was done\n")
    #expect(try program.directory.contents().contains("New.sqlite") == false)
  }
}
