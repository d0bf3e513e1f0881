#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

/// What others see of a fleet while it runs, and afterwards.
@Suite(
  "Fleets that are watched",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct FleetWatchingTests {
  /// Two stores that are sound, and one that is not SQLite's.
  private static func folder() throws -> FleetFolder {
    let folder = try FleetFolder(stores: 3)
    try folder.program.write("no store", to: "s2.sqlite")
    try folder.plan()
    return folder
  }

  private func text(_ folder: FleetFolder, _ name: String) throws -> String {
    try String(contentsOfFile: folder.program.directory.path(name), encoding: .utf8)
  }

  @Test func `events tell every attempt, in lines as the schema says`() throws {
    let folder = try Self.folder()
    let run = try folder.program(["fleet", "run", "-q", "--events", "e.jsonl"])
    #expect(run.status == 3, "\(run.errors)")
    let schema = try JSONSchema(of: "fleet-event")
    let lines = try text(folder, "e.jsonl").split(separator: "\n")
    for line in lines { #expect(schema.faults(of: Data(line.utf8)) == []) }
    let events = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(events.first?["event"] as? String == "begin")
    #expect(events.first?["stores"] as? Int == 3)
    let told = events.dropFirst().dropLast().map {
      "\($0["event"] ?? "") \($0["id"] ?? "") \($0["outcome"] ?? "")"
    }
    #expect(
      told.sorted() == [
        "result s1 done", "result s2 quarantined", "result s3 done", "store s1 ", "store s2 ",
        "store s3 ",
      ]
    )
    #expect(events.last?["exitCode"] as? Int == 3)
    #expect((events.last?["tally"] as? [String: Any])?["rows"] as? Int == 6)
    // A second run adds its own, and a file of something else is refused before anything begins.
    _ = try folder.program(["fleet", "run", "-q", "--events", "e.jsonl"])
    #expect(try text(folder, "e.jsonl").split(separator: "\n").count == 16)
    #expect(try folder.program(["fleet", "run", "--events", "s1.sqlite"]).status == 73)
    #expect(try folder.program(["fleet", "run", "--events", "-", "--json"]).status == 64)
  }

  @Test func `metrics are those of Prometheus`() throws {
    let folder = try Self.folder()
    #expect(try folder.program(["fleet", "run", "-q", "--metrics", "m.prom"]).status == 3)
    let lines = try text(folder, "m.prom").split(separator: "\n").map(String.init)
    let values = lines.filter { !$0.hasPrefix("#") }
      .map { $0.replacing(#/fleet="[0-9a-f]{12}",?/#, with: "") }
    #expect(
      Array(values.prefix(11)) == [
        #"bulkmigrate_fleet_stores{state="done"} 2"#,
        #"bulkmigrate_fleet_stores{state="already"} 0"#,
        #"bulkmigrate_fleet_stores{state="failed"} 0"#,
        #"bulkmigrate_fleet_stores{state="quarantined"} 1"#,
        #"bulkmigrate_fleet_stores{state="stopped"} 0"#,
        #"bulkmigrate_fleet_stores{state="overtaken"} 0"#,
        #"bulkmigrate_fleet_stores{state="left"} 0"#, "bulkmigrate_fleet_attempts_total{} 3",
        "bulkmigrate_fleet_rows_total{} 6",
        "bulkmigrate_fleet_bytes_total{} \(try 2 * folder.single().count)",
        "bulkmigrate_fleet_workers{} 0",
      ]
    )
    // Each has its help and its type before its values (the text format of Prometheus, 0.0.4).
    for name in ["stores", "rows_total", "update_time_seconds"] {
      let place = try #require(
        lines.firstIndex { $0.hasPrefix("# HELP bulkmigrate_fleet_\(name) ") }
      )
      #expect(lines[place + 1].hasPrefix("# TYPE bulkmigrate_fleet_\(name) "))
      #expect(lines[place + 2].hasPrefix("bulkmigrate_fleet_\(name){"))
    }
    #expect(try folder.program(["fleet", "run", "--metrics", "s1.sqlite"]).status == 73)
  }

  @Test func `a page shows the fleet, and leads to the pages of its stores`() throws {
    let folder = try Self.folder()
    let early = try folder.program("fleet", "report", "--page", "early.html")
    #expect(early.status == 0, "\(early.errors)")
    #expect(try text(folder, "early.html").contains("0 of 3 stores are done."))
    #expect(try folder.program(["fleet", "run", "-q"]).status == 3)
    #expect(try folder.program("fleet", "report", "--html", "s1", "-o", "s1.html").status == 0)
    let written = try folder.program("fleet", "report", "--page", "fleet.html")
    #expect(written.output == "report written to fleet.html\n")
    let page = try text(folder, "fleet.html")
    for part in [
      "2 of 3 stores are done, and 1 failed.",
      #"aria-label="Stores by outcome: done 2, quarantined 1""#,
      #"<a href="s1.html">s1</a>"#, "the store: it is not an SQLite database",
      "whoever owns the store or the mapping",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("<script"))
    #expect(!page.contains("s3.html"))
    #expect(try folder.program("fleet", "report", "--page", "s1.sqlite").status == 73)
  }
}
#endif
