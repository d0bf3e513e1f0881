import BulkTestSupport
import Testing

/// What others see of a fleet while it runs and afterwards, and what they ask of it.
@Suite("Fleets that are watched", .program)
struct FleetWatchingTests {
  /// Two stores that are sound, and one that is not SQLite's.
  private static func folder() throws -> FleetFolder {
    let folder = try FleetFolder(stores: 3)
    try folder.program.write("no store", to: "s2.sqlite")
    try folder.plan()
    return folder
  }

  @Test func `events tell every attempt`() throws {
    let folder = try Self.folder()
    let run = try folder.program(["fleet", "run", "--json"], ending: 3)
    var lines = run.output.split(separator: "\n")
    let last = lines.popLast()
    let result = String(try #require(last))
    #expect(result.contains("\"bulkmigrate\":\"fleet-run/1\"") && result.contains("\"exitCode\":3"))
    let events = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(events.first?["event"] as? String == "begin")
    #expect(events.first?["stores"] as? Int == 3)
    let told = events.dropFirst().map {
      "\($0["event"] ?? "") \($0["id"] ?? "") \($0["outcome"] ?? "")"
    }
    #expect(
      told.sorted() == [
        "result s1 done", "result s2 quarantined", "result s3 done", "store s1 ", "store s2 ",
        "store s3 ",
      ]
    )
  }

  @Test func `plans and results are as their schemas say`() throws {
    let folder = try Self.folder()
    let plan = try #require(try folder.program.directory.bytes()["bulkmigrate.fleet.json"])
    #expect(try JSONSchema(of: "fleet").faults(of: plan) == [])
    #expect(try folder.program("fleet", "run", "-q", "--canary", "1").status == 3)
    let schema = try JSONSchema(of: "record")
    let results = try folder.results()
    #expect(results.count == 3)
    #expect(results.flatMap { schema.faults(of: $0) } == [])
    // The columns of the package for Spark are members of the schema.
    let properties = try #require(schema.part("$defs", "record", "properties"))
    let executor = JSONSchema.folder.deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent(
        "Plans/fleet/spark/bulkmigrate_fleet/executor.py"
      )
    let text = try String(contentsOf: executor, encoding: .utf8)
    let columns = try #require(text.firstMatch(of: /COLUMNS = \[([^\]]*)\]/)).output.1
      .matches(of: /"([A-Za-z]*)"/).map { String($0.output.1) }
    #expect(columns.filter { properties[$0] == nil } == [])
  }

  @Test func `an edited plan is refused, and so are lists and models that have changed`() throws {
    let folder = try FleetFolder(stores: 1)
    func refuse(_ status: Int32, _ message: String) throws {
      let run = try folder.program("fleet", "run", ending: status)
      #expect(run.errors.contains(message), "\(run.errors)")
      folder.program.remove("bulkmigrate.fleet.json", "bulkmigrate.fleet.stores.jsonl")
      try folder.plan()
    }
    try folder.plan()
    let plan = try folder.program.text(of: "bulkmigrate.fleet.json")
    try folder.program.write(
      plan.replacing("\"infers\" : true", with: "\"infers\" : false"),
      to: "bulkmigrate.fleet.json"
    )
    try refuse(65, "it was changed after it was made")
    try folder.program.write(FleetFolder.line("s1"), to: "bulkmigrate.fleet.stores.jsonl")
    try refuse(5, "bulkmigrate.fleet.stores.jsonl")
    folder.program.remove("models/v1.mom")
    let run = try folder.program("fleet", "run", ending: 5)
    #expect(run.errors.contains("models/1/v1.mom is missing\n"), "\(run.errors)")
  }

  @Test func `a page shows the fleet`() throws {
    let folder = try Self.folder()
    try folder.program("fleet", "report", "--page", "fleet.html", ending: 0)
    #expect(try folder.program.text(of: "fleet.html").contains("0 of 3 stores are done."))
    #expect(try folder.program(["fleet", "run", "-q"]).status == 3)
    let results = try folder.program.text(of: "bulkmigrate.results.jsonl")
    try folder.program.write(results + "{\"id\":\"s1\"}\n", to: "bulkmigrate.results.jsonl")
    let written = try folder.program("fleet", "report", "--page", "fleet.html")
    #expect(written.output == "report written to fleet.html\n")
    #expect(written.errors.contains("lines that are not results of a fleet: 1"))
    let page = try folder.program.text(of: "fleet.html")
    for path in ["s1.sqlite", "stores.jsonl"] {
      try folder.program("fleet", "status", "--results", path, ending: 65)
    }
    for part in [
      "2 of 3 stores are done, and 1 failed.",
      #"<dt>done</dt><dd><span class="bar added" style="width:85%"></span>2</dd>"#,
      #"<dt>quarantined</dt><dd><span class="bar removed" style="width:42.5%"></span>1</dd>"#,
      "the store: it is not an SQLite database", "whoever owns the store or the mapping",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("<script") && !page.contains("href="))
    #expect(try folder.program("fleet", "report", "--page", "s1.sqlite").status == 73)
  }
}
