import BulkTestSupport
import Testing

/// What the program says of losses, and `--max-loss`.
@Suite("Losses on the command line", .tags(.promise19, .promise20))
struct LossTests {
  private let program: Program

  /// Three notes, of which two have bodies, and a model without these.
  init() throws {
    program = try Program(.call)
    let short = try ManagedObjectModel.of(EntityDescription("Note", [.optional("title")]))
    try program.write(short, to: "short.mom")
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("body"), .optional("title")])
    )
    try program.write(source, to: "long.mom")
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
  private static let loss = "2 values of Note.body: no mapping reads them"
  private static let advice = "to accept this, pass --max-loss 2"

  /// A command that is refused tells the losses and what would allow them, and makes nothing.
  private func refuse(_ words: [String], limit: String = "none") throws {
    let before = try program.directory.bytes()
    let run = try program(words, ending: 65)
    for part in ["more is lost than --max-loss \(limit) allows", Self.loss, Self.advice] {
      #expect(run.errors.contains(part), "\(run.errors)")
    }
    #expect(try program.directory.bytes() == before)
  }

  private func contains(_ output: String, _ parts: String...) -> Bool {
    let text = output.filter { !$0.isWhitespace }
    return parts.allSatisfy { text.contains($0.filter { !$0.isWhitespace }) }
  }

  @Test func `plan shows the losses first, and plans none beyond what is allowed`() throws {
    for limit in ["none", "1"] { try refuse(Self.planning + ["--max-loss", limit], limit: limit) }
    #expect(try program(Self.planning + ["--max-loss", "2"]).status == 0)
    let text = try program(Self.planning).output
    #expect(
      contains(
        text,
        "mapping inferred LOST OF WHY 2 values of Note.body no mapping reads them",
        "run refuses this loss unless you allow it: --max-loss 2 pass 1 of 1"
      ),
      "\(text)"
    )
    let json = try program(Self.planning + ["--json"]).output
    #expect(
      contains(
        json,
        #""losses": [{"cause": "removed", "count": 2, "kind": "values", "owner": "Note.body""#
      ),
      "\(json)"
    )
  }

  @Test func `run loses nothing unless it is told to, as plan says, and tells what it lost`() throws
  {
    let plan = try program(Self.planning, ending: 0)
    let command = "run --plan titles.json --max-loss 2"
    #expect(plan.errors.contains("to do exactly this, type: bulkmigrate \(command)\n"))
    let resumed = try program("resume", "--plan", "titles.json", ending: 66)
    #expect(!resumed.errors.contains("lost"), "\(resumed.errors)")
    try refuse(["run", "--plan", "titles.json"])
    let run = try program(command.words + ["-q", "--json"], ending: 0)
    #expect(contains(run.output, #""kind": "values", "owner": "Note.body""#), "\(run.output)")
  }

  @Test func `migrate loses nothing unless it is told to`() throws {
    let words = "migrate Bodies.sqlite --models long.mom --destination-model short.mom".words
    try refuse(words)
    let allowed = try program(words + ["--max-loss", "2", "--json"], ending: 0)
    #expect(allowed.errors.contains("will be lost: \(Self.loss)"))
    #expect(contains(allowed.output, #""owner": "Note.body""#))
    #expect(try program.names(in: ".").contains("Bodies~.sqlite"))
  }
}
