#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

/// A route of two steps: an attribute more, then a mapping model; between them lies a store.
@Suite(
  "Routes that are interrupted",
  .tags(.promise17),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct RouteResumeTests {
  private let program: Program
  private let undisturbed: Data
  private var state: String { program.directory.path("Big.sqlite.bulkmigrate") }

  private static func model(_ attributes: String...) -> String {
    let list = attributes.map {
      "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
    }
    return "<?xml version=\"1.0\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">"
      + "<entity name=\"Note\">\(list.joined())</entity></model>"
  }

  private static let mapping = """
    {
      "bulkmigrate": "mapping/1",
      "source": { "model": "App.xcdatamodeld/v2.xcdatamodel" },
      "destination": { "model": "App.xcdatamodeld/v3.xcdatamodel" },
      "entityMappings": [
        {
          "source": "Note", "destination": "Note",
          "attributes": { "title": "uppercase:($source.title)", "body": "$source.title" }
        }
      ]
    }
    """

  private static let plan = [
    "plan", "--source", "Source.sqlite", "--destination", "Big.sqlite", "--models",
    "App.xcdatamodeld", "--mappings", ".", "--to", "v3",
  ]

  init() throws {
    program = try Program()
    let folder = program.directory
    let versions = [
      Self.model("title"), Self.model("title", "author"), Self.model("title", "body"),
    ]
    for (index, text) in versions.enumerated() {
      let path = folder.path("App.xcdatamodeld/v\(index + 1).xcdatamodel")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try text.write(toFile: path + "/contents", atomically: true, encoding: .utf8)
    }
    try Self.mapping.write(toFile: folder.path("v2-to-v3.json"), atomically: true, encoding: .utf8)
    let fixture = [
      "fixture", "-q", "--model", "App.xcdatamodeld/v1.xcdatamodel", "--rows", "Note=30000",
      "--output", "Source.sqlite",
    ]
    try #require(try program(fixture).status == 0)
    let planned = try program(Self.plan + ["--no-fuse"])
    try #require(planned.status == 0, "\(planned.errors)")
    try #require(planned.output.contains("2 steps"), "\(planned.output)")
    let run = try program("run", "-q")
    try #require(run.status == 0, "\(run.errors)")
    undisturbed = try Data(contentsOf: URL(fileURLWithPath: folder.path("Big.sqlite")))
    try FileManager.default.removeItem(atPath: folder.path("Big.sqlite"))
  }

  private func migrated() throws -> Data {
    let path = program.directory.path("Big.sqlite")
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func killed(at place: String, _ words: String...) throws -> Bool {
    try program(words, environment: ["BULKMIGRATE_FAILPOINT": place]).status == -9
  }

  @Test(
    arguments: [
      "checkpoint:1", "commit:2", "published:0", "durable:0", "leg:1", "commit:5",
      "synchronized:0",
    ]
  )
  func `after a kill in any step the same bytes come out`(place: String) throws {
    #expect(try killed(at: place, "run", "-q"))
    // The next one is killed too, further on where that can be.
    if try killed(at: "commit:6", "resume", "-q") {
      let resumed = try program("resume", "-q")
      #expect(resumed.status == 0, "\(resumed.errors)")
    }
    #expect(try migrated() == undisturbed)
    #expect(!FileManager.default.fileExists(atPath: state))
  }

  @Test(arguments: ["checkpoint:1", "commit:2", "synchronized:0", "published:0"])
  func `after a kill of steps that are done as one the same bytes come out`(place: String) throws {
    let planned = try program(Self.plan)
    try #require(planned.output.contains("2 steps, done as one"), "\(planned.output)")
    #expect(try killed(at: place, "run", "-q"))
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try migrated() == undisturbed)
    #expect(!FileManager.default.fileExists(atPath: state))
  }

  @Test func `runs that have no time at all come to the end together`() throws {
    let codes = try Slices.codes {
      try program("run", "-q", "--max-duration", "0s", "--resume-if-started")
    }
    #expect(codes.count >= 11)
    #expect(codes.dropLast().allSatisfy { $0 == 6 }, "\(codes)")
    #expect(codes.last == 0, "\(codes)")
    #expect(try migrated() == undisturbed)
  }

  @Test func `a store between two steps is removed when the next is done`() throws {
    #expect(try killed(at: "leg:1", "run", "-q"))
    let names = try FileManager.default.contentsOfDirectory(atPath: state)
    #expect(names.contains { $0.hasPrefix("step-1-") && $0.hasSuffix(".sqlite") })
    let status = try program("status")
    #expect(status.output.contains("rows         30,000 of 60,000 written"), "\(status.output)")
  }

  @Test func `a resumed route tells of all its steps what became of every entity`() throws {
    #expect(try killed(at: "leg:1", "run", "-q"))
    let resumed = try program("resume", "-v", "--report", "page.html")
    #expect(resumed.status == 0, "\(resumed.errors)")
    let lines = resumed.errors.split(separator: "\n").map(String.init)
    let table = try #require(lines.firstIndex { $0.contains("ENTITY") }, "\(resumed.errors)")
    #expect(
      Array(lines[table...(table + 2)]) == [
        "  STEP  ENTITY    READ  WRITTEN  LEFT OUT  LOST",
        "  1     Note    30,000   30,000",
        "  2     Note    30,000   30,000",
      ]
    )
    let page = try String(contentsOfFile: program.directory.path("page.html"), encoding: .utf8)
    // Each step in the wide and in the narrow picture.
    #expect(page.matches(of: /30,000 rows written/).count == 4)
    #expect(!page.contains("planned:"))
    _ = try migrated()
  }

  @Test func `another memory limit holds for all steps, and outlasts a kill`() throws {
    let process = try StoppableProcess(
      Program.path ?? "/nowhere",
      ["run"],
      in: program.directory.path,
      environment: Program.environment.merging([
        "BULKMIGRATE_STANDSTILL": "route-begun:0", "BULKMIGRATE_FAILPOINT": "leg:1",
      ]) { $1 }
    )
    try #require(process.standsStill())
    let asked = try program("memory", "512M")
    #expect(asked.status == 0, "\(asked.errors)")
    #expect(process.goOn() == -9, "\(process.errors)")
    #expect(process.errors.contains("memory limit 512 MiB from now on\n"), "\(process.errors)")
    #expect(try program("status").output.contains("memory limit 512 MiB"))
    let resumed = try program("resume")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(resumed.errors.contains("memory limit 512 MiB"))
    #expect(try migrated() == undisturbed)
  }

  @Test func `a source that changes after the first step is refused`() throws {
    #expect(try killed(at: "leg:1", "run", "-q"))
    try StoreFile(program.directory.path("Source.sqlite"))
      .execute("UPDATE ZNOTE SET ZTITLE = 'other' WHERE Z_PK = 1")
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 5)
    #expect(resumed.errors.hasSuffix("Source.sqlite has changed\n"), "\(resumed.errors)")
  }

  @Test func `an attempt that was overtaken in another step is fenced off`() throws {
    let first = try StoppableProcess(
      Program.path ?? "/nowhere",
      ["run", "-q"],
      in: program.directory.path,
      environment: ["BULKMIGRATE_STANDSTILL": "leg:1"]
    )
    try #require(first.standsStill())
    try FileManager.default.removeItem(atPath: state + "/lock")
    let second = try program("resume", "-q")
    #expect(second.status == 0, "\(second.errors)")
    #expect(first.goOn() == 9, "\(first.errors)")
    #expect(try migrated() == undisturbed)
    #expect(!FileManager.default.fileExists(atPath: state))
  }
}
#endif
