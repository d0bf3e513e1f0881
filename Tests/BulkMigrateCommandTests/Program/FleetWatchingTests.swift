#if os(Linux)
import BulkTestSupport
import Foundation
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

  @Test func `events tell every attempt, in lines as the schema says`() throws {
    let folder = try Self.folder()
    let run = try folder.program(["fleet", "run", "--json"], ending: 3)
    let schema = try JSONSchema(of: "record")
    var lines = run.output.split(separator: "\n")
    let last = lines.popLast()
    let result = String(try #require(last))
    #expect(result.contains("\"bulkmigrate\":\"fleet-run/1\"") && result.contains("\"exitCode\":3"))
    for line in lines { #expect(schema.faults(of: Data(line.utf8)) == []) }
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
#endif
