#if os(Linux)
import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// What the program says of losses, and `--max-loss`.
@Suite(
  "Losses on the command line",
  .tags(.promise19, .promise20),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct LossTests {
  private let program: Program

  /// Three notes, of which two have bodies, and a model without these.
  init() throws {
    program = try Program()
    try TestStore.write(
      .of(EntityDescription("Note", [.optional("title")])),
      to: program.directory.path("short.mom")
    )
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("body"), .optional("title")])
    )
    try TestStore.write(source, to: program.directory.path("long.mom"))
    _ = try TestStore(
      source,
      TestObject("Note", 1, ["body": "x", "title": "t"]),
      TestObject("Note", 2, ["body": "y"]),
      TestObject("Note", 3)
    ).write(to: program.directory.path("Bodies.sqlite"))
  }

  private static let planning = [
    "plan", "--source", "Bodies.sqlite", "--source-model", "long.mom", "--destination",
    "Titles.sqlite", "--destination-model", "short.mom", "--output", "titles.json",
  ]
  private static let loss = "2 values of Note.body: nothing in the destination is made of them"
  private static let advice = "to accept this, pass --max-loss 2 or --max-loss all"

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: program.directory.path(name))
  }

  @Test func `plan shows the ledger first, and in its JSON`() throws {
    let plan = try program(Self.planning)
    #expect(plan.status == 0)
    #expect(
      plan.output.contains(
        """
        mapping      inferred

          LOST  OF                   WHY
             2  values of Note.body  nothing in the destination is made of them

        run may lose none of these; to allow all of them, pass --max-loss 2

        pass 1 of 1
        """
      ),
      "\(plan.output)"
    )
    let json = try program(Self.planning + ["--json"]).output
    #expect(
      json.contains(
        """
          "losses" : [
            {
              "cause" : "removed",
              "count" : 2,
              "kind" : "values",
              "place" : "Note.body",
              "reason" : "nothing in the destination is made of them",
              "step" : 1
            }
          ],
        """
      ),
      "\(json)"
    )
  }

  @Test(arguments: ["none", "1"])
  func `plan writes no plan that loses more than is allowed`(limit: String) throws {
    let plan = try program(Self.planning + ["--max-loss", limit])
    #expect(plan.status == 65)
    #expect(
      plan.errors
        == """
        bulkmigrate: more is lost than --max-loss \(limit) allows; nothing was made:
        bulkmigrate:   \(Self.loss)
        bulkmigrate: \(Self.advice)

        """
    )
    #expect(!exists("titles.json"))
    #expect(try program(Self.planning + ["--max-loss", "2"]).status == 0)
  }

  @Test func `where nothing is to be resumed, no losses are told`() throws {
    #expect(try program(Self.planning).status == 0)
    let resumed = try program("resume", "--plan", "titles.json")
    #expect(resumed.status == 66)
    #expect(resumed.errors.contains("there is no interrupted migration in "), "\(resumed.errors)")
    #expect(!resumed.errors.contains("lost"))
  }

  @Test func `run loses nothing unless it is told to, as plan says, and tells what it lost`() throws
  {
    let plan = try program(Self.planning)
    #expect(plan.status == 0)
    let command = "run --plan titles.json --max-loss 2"
    #expect(plan.errors.contains("to do exactly this, type: bulkmigrate \(command)\n"))
    let refused = try program("run", "--plan", "titles.json")
    #expect(refused.status == 65)
    #expect(refused.errors.contains("more is lost than --max-loss none allows"))
    #expect(refused.errors.contains(Self.loss) && refused.errors.contains(Self.advice))
    #expect(!exists("Titles.sqlite") && !exists("Titles.sqlite.bulkmigrate"))
    let run = try program(command.split(separator: " ").map(String.init) + ["-q", "--json"])
    #expect(run.status == 0)
    #expect(
      run.output.contains(
        "\"losses\":[{\"cause\":\"removed\",\"count\":2,\"kind\":\"values\",\"place\":\"Note.body\","
      ),
      "\(run.output)"
    )
  }

  @Test func `migrate loses nothing unless it is told to`() throws {
    let words = [
      "migrate", "Bodies.sqlite", "--models", "long.mom", "--destination-model", "short.mom",
    ]
    let before = try Data(contentsOf: URL(fileURLWithPath: program.directory.path("Bodies.sqlite")))
    let refused = try program(words)
    #expect(refused.status == 65)
    #expect(refused.errors.contains(Self.loss) && refused.errors.contains(Self.advice))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: program.directory.path("Bodies.sqlite"))) == before
    )
    #expect(!exists("Bodies.sqlite.bulkmigrate"))
    let allowed = try program(words + ["--max-loss", "2", "--json"])
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(allowed.errors.contains("will be lost: \(Self.loss)"))
    #expect(allowed.output.contains("\"place\" : \"Note.body\""))
    #expect(exists("Bodies~.sqlite"))
  }

  @Test func `resume counts on, and keeps to the limit of the run`() throws {
    try Data(
      """
      {"bulkmigrate": "mapping/1", "infer": "none", "entityMappings": [
        {"name": "Notes", "source": "Note", "destination": "Note", "filter": "title MATCHES 't+'",
         "attributes": {"title": "$source.title"}}
      ]}
      """.utf8
    ).write(to: URL(fileURLWithPath: program.directory.path("all.json")))
    #expect(try program(Self.planning + ["--mapping", "all.json"]).status == 0)
    let words = ["-q", "--plan", "titles.json"]
    let small = ["BULKMIGRATE_BATCH_ROWS": "1"]
    let killed = try program(
      ["run", "--max-loss", "3"] + words,
      environment: small.merging(["BULKMIGRATE_FAILPOINT": "commit:3"]) { $1 }
    )
    #expect(killed.status == -9, "\(killed.errors)")
    let refused = try program(["resume"] + words, environment: small)
    #expect(refused.status == 65, "\(refused.errors)")
    #expect(
      refused.errors.contains("2 objects of Note: they do not satisfy title MATCHES \"t+\"")
    )
    #expect(
      refused.errors.contains(
        "bulkmigrate resume --plan titles.json with --max-loss 4 or --max-loss all"
      )
    )
    #expect(!exists("Titles.sqlite"))
    let allowed = try program(["resume"] + words + ["--max-loss", "4"], environment: small)
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(exists("Titles.sqlite"))
  }

  @Test(arguments: ["few", "1.5", ""])
  func `a limit is none, a number or all`(limit: String) throws {
    let plan = try program(Self.planning + ["--max-loss", limit])
    #expect(plan.status == 64)
    #expect(plan.errors.contains("is neither none nor a number nor all"), "\(plan.errors)")
  }
}
#endif
