#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

/// The files of a fleet hold what their schemas say.
@Suite("Schemas of fleets", .program)
struct FleetSchemaTests {
  @Test func `plans and results are as their schemas say`() throws {
    let folder = try FleetFolder(stores: 3)
    try folder.program.write("no store", to: "s2.sqlite")
    try folder.plan()
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

  @Test func `an edited plan is refused, and so is an edited list`() throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan()
    let url = URL(fileURLWithPath: folder.program.directory.path("bulkmigrate.fleet.json"))
    let text = try String(contentsOf: url, encoding: .utf8)
    try text.replacing("\"infers\" : true", with: "\"infers\" : false")
      .write(to: url, atomically: true, encoding: .utf8)
    let run = try folder.program.failure(["fleet", "run"])
    #expect(run.status == 65)
    #expect(run.errors.contains("it was changed after it was made"))
    try folder.plan()
    try folder.program.write(FleetFolder.line("s1"), to: "bulkmigrate.fleet.stores.jsonl")
    #expect(try folder.program("fleet", "run").status == 5)
  }

  @Test func `the group of commands explains itself`() throws {
    let program = try Program()
    let help = try program("help", "fleet")
    #expect(help.output.contains("\n  fleet retry ") && !help.output.contains("fleet work"))
    #expect(try program("fleet").status == 64)
    #expect(try program("fleet", "--help").output == help.output)
    #expect(
      try program("help", "fleet", "run").output.hasPrefix("usage: bulkmigrate fleet run [options]")
    )
    #expect(
      try program("fleet", "rnu").errors.hasPrefix(
        "bulkmigrate: unknown command 'fleet rnu'; did you mean fleet run?"
      )
    )
  }
}
#endif
