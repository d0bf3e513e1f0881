import BulkTestSupport
import Testing

@Suite("A model of which no entity continues", .tags(.promise24))
struct ReplacementTests {
  private let program: Program

  private static let plan =
    "plan --source Notes.sqlite --destination New.sqlite --destination-model other.mom".words
  private static let reason =
    "v1 and other have no entity in common, so all objects would be removed; add renaming identifiers "
    + "or a mapping; if this is intended, pass --allow replacement"

  init() throws {
    program = try Program(.call)
    try program.write(.of(EntityDescription("Book", [.optional("title")])), to: "other.mom")
  }

  @Test func `no plan is written, and no store is migrated in its place`() throws {
    let before = try program.directory.bytes()
    for words in [
      Self.plan, ["migrate", "Notes.sqlite", "--destination-model", "other.mom"],
      ["migrate", "--no-copy", "Notes.sqlite", "--destination-model", "other.mom"],
    ] {
      let run = try program(words, ending: 65)
      #expect(run.errors.contains(Self.reason.dropFirst("no entity of v1".count)), "\(run.errors)")
    }
    #expect(try program.directory.bytes() == before)
  }

  @Test func `that is told before a store which an earlier migration has kept`() throws {
    try program.write("kept", to: "Notes~.sqlite")
    let run = try program(
      ["migrate", "Notes.sqlite", "--destination-model", "other.mom"],
      ending: 65
    )
    #expect(run.errors.contains(Self.reason.dropFirst("no entity of v1".count)), "\(run.errors)")
  }

  @Test func `a fleet reports it for the stores`() throws {
    try program.write(
      #"{"id": "a", "source": "\#(program.directory.path("Notes.sqlite"))", "destination": "New.sqlite"}"#,
      to: "stores.jsonl"
    )
    let words = [
      "fleet", "plan", "--manifest", "stores.jsonl", "--models", "v1.mom", "--models", "other.mom",
      "--to", "other", "--json", "-o",
    ]
    #expect(try program(words + ["refused.json"]).output.contains(Self.reason))
    let allowed = try program(words + ["allowed.json", "--allow", "replacement"])
    #expect(!allowed.output.contains("no entity"), "\(allowed.output)")
    #expect(allowed.output.contains(#""replacement""#), "\(allowed.output)")
  }

  @Test func `what is allowed is done, and a preflight tells it`() throws {
    try program(Self.plan + ["--allow", "replacement"], ending: 0)
    let preflight = try program("preflight", "--plan", "bulkmigrate.plan.json")
    #expect(preflight.output.contains("no entity continues  all objects are lost"))
    #expect(try program("run", "--max-loss", "all").status == 0)
    #expect(try program("verify", "--level", "full").status == 0)
    let unknown = try program(Self.plan + ["--allow", "everything"], ending: 64)
    #expect(unknown.errors.contains("replacement"), "\(unknown.errors)")
  }

  @Test(arguments: [[], ["--no-fuse"]])
  func `a later leg is refused, and told by a preflight where it is allowed`(fused: [String]) throws
  {
    let chain = #"{"bulkmigrate": "mapping/1", "chain": ["v1.mom", "v2.mom", "other.mom"]}"#
    try program.write(chain, to: "chain.json")
    let mapping = ["--mapping", "chain.json"] + fused
    let words = ["plan", "--source", "Notes.sqlite", "--destination", "New.sqlite"] + mapping
    // A migrate fuses what it can.
    for refused in [words] + (fused.isEmpty ? [["migrate", "Notes.sqlite"] + mapping] : []) {
      let run = try program(refused, ending: 65)
      #expect(run.errors.contains("v2 and other have no entity in common, so all"), "\(run.errors)")
    }
    try program(words + ["--allow", "replacement"], ending: 0)
    let preflight = try program("preflight")
    #expect(
      preflight.output.contains("no entity continues in step 2  all objects are lost"),
      "\(preflight.output)"
    )
  }
}
