import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// A run that leaves 3 of 144 notes out, and with them the links to them, is killed behind many steps.
@Suite(
  "What was asked of a run that is interrupted",
  .tags(.promise16),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct GateTests {
  private let program: Program
  private static let folder = "Big.sqlite.bulkmigrate"

  init() throws {
    program = try Program()
    func model(_ title: AttributeDescription) throws -> ManagedObjectModel {
      try .of(
        EntityDescription("Note", [title], [.toMany("links", "Link", inverse: "note")]),
        EntityDescription(
          "Link",
          [.optional("target")],
          [.toOne("note", "Note", inverse: "links")]
        )
      )
    }
    var store = TestStore(try model(.optional("title")))
    store.objects = (1...144).map {
      TestObject("Note", $0, ["title": $0 % 60 == 3 ? .null : .string("note \($0)")])
    }
    store.objects += (1...144).map { TestObject("Link", $0, links: ["note": [145 - $0]]) }
    _ = try store.write(to: program.directory.path("Source.sqlite"))
    try TestStore.write(store.model, to: program.directory.path("old.mom"))
    try TestStore.write(model(.required("title")), to: program.directory.path("new.mom"))
    let link =
      "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\", "
    try program.write(
      """
      { "bulkmigrate": "mapping/1", "infer": "none", "entityMappings": [
        { "source": "Note", "destination": "Note", "attributes": { "title": "$source.title" } },
        { "source": "Link", "destination": "Link", "attributes": { "target": "$source.target" },
          "relationships": { "note": "\(link)\\\"NoteToNote\\\", $source.note)" } } ] }
      """,
      to: "all.json"
    )
    let run = try planned()
    try #require(run.status == 0, "\(run.errors)")
  }

  private func planned() throws -> ProcessRun {
    try program(
      ["plan", "-q", "--source", "Source.sqlite", "--source-model", "old.mom"]
        + [
          "--destination", "Big.sqlite", "--destination-model", "new.mom", "--mapping", "all.json",
        ]
    )
  }

  private func command(_ words: String..., dyingAt failpoint: String? = nil) throws -> ProcessRun {
    var environment = ["BULKMIGRATE_BATCH_ROWS": "100"]
    environment["BULKMIGRATE_FAILPOINT"] = failpoint
    return try program(words + ["-q"], environment: environment)
  }

  private func kill(after step: Int) throws {
    try? FileManager.default.removeItem(atPath: program.directory.path("Big.sqlite"))
    try? FileManager.default.removeItem(atPath: program.directory.path(Self.folder))
    let run = try command(
      "run",
      "--on-error",
      "quarantine",
      "--max-loss",
      "3",
      dyingAt: "step:\(step)"
    )
    #expect(run.status == -9, "step \(step)")
  }

  /// The bytes of the destination and of what was left out.
  private func made() throws -> [Data] {
    try ["Big.sqlite", "\(Self.folder)/rejects/Note.jsonl", "\(Self.folder)/rejects/summary.json"]
      .map { try Data(contentsOf: URL(fileURLWithPath: program.directory.path($0))) }
  }

  private func steps() throws -> Int {
    let run = try command(
      "run",
      "--on-error",
      "quarantine",
      "--max-loss",
      "3",
      dyingAt: "count"
    )
    #expect(run.status == 3, "\(run.errors)")
    let last = try #require(run.errors.split(separator: "\n").last)
    return try #require(Int(last.dropFirst("steps: ".count)))
  }

  private var lock: URL { URL(fileURLWithPath: program.directory.path("\(Self.folder)/lock")) }

  @Test func `is asked of a resumed run without its lock, and with another one`() throws {
    let steps = try steps()
    let expected = try made()
    for step in stride(from: 3, through: steps, by: 3) {
      try kill(after: step)
      guard let bytes = try? Data(contentsOf: lock) else { continue }
      if step.isMultiple(of: 6) {
        try FileManager.default.removeItem(at: lock)
      } else {
        let text = String(decoding: bytes, as: UTF8.self)
          .replacing("quarantine", with: "stop").replacing("\"_0\":3", with: "\"_0\":9")
        try Data(text.utf8).write(to: lock)
      }
      let rest = try command("resume")
      // The first checkpoint may not be there yet, and a migration that is done has nothing to resume.
      guard ![66, 73].contains(rest.status) else { continue }
      #expect(rest.status == 3, "step \(step): \(rest.errors)")
      #expect(try made() == expected, "step \(step)")
    }
  }

  @Test func `is not given up for another policy once it has judged objects`() throws {
    let steps = try steps()
    let expected = try made()
    var codes: [Int32: Int] = [:]
    for step in stride(from: 3, through: steps, by: 2) {
      try kill(after: step)
      let other = try command("resume", "--on-error", "stop")
      codes[other.status, default: 0] += 1
      switch other.status {
      case 64:
        #expect(other.errors.contains("has judged its objects by quarantine"))
        #expect(try command("resume").status == 3, "step \(step)")
        #expect(try made() == expected, "step \(step)")
      case 3: #expect(try made() == expected, "step \(step)")
      case 65:
        #expect(other.errors.contains("3 values break rules"), "\(other.errors)")
        #expect(throws: (any Error).self) { try made() }
      default: #expect([66, 73].contains(other.status), "step \(step): \(other.errors)")
      }
    }
    for code: Int32 in [3, 64, 65] { #expect(codes[code] ?? 0 > 0, "\(code) of \(codes)") }
  }

  @Test func `is made stricter for all attempts that follow`() throws {
    let steps = try steps()
    for step in [steps / 2, steps * 3 / 4] {
      try kill(after: step)
      let refused = try command("resume", "--max-rejects", "2")
      #expect(refused.status == 1, "step \(step): \(refused.errors)")
      #expect(refused.errors.contains("3 of 288 objects would be left out"), "\(refused.errors)")
      #expect(try command("resume").status == 1, "step \(step)")
      #expect(try command("resume", "--max-rejects", "3").status == 3, "step \(step)")
    }
  }

  @Test func `a source that changes before it is resumed leads to a new plan and a restart`() throws
  {
    try kill(after: try steps() / 2)
    try StoreFile(program.directory.path("Source.sqlite"))
      .execute("UPDATE ZNOTE SET ZTITLE = 'other' WHERE Z_PK = 1")
    let stale = try command("resume")
    #expect(stale.status == 5)
    #expect(stale.errors.hasSuffix("Source.sqlite has changed\n"), "\(stale.errors)")
    let status = try program("status", "--state-dir", Self.folder)
    #expect(status.output.contains("a new plan, and bulkmigrate run --restart"), "\(status.output)")
    let plan = try planned()
    #expect(plan.status == 0, "\(plan.errors)")
    let again = try command("run", "--restart", "--on-error", "quarantine", "--max-loss", "3")
    #expect(again.status == 3, "\(again.errors)")
    #expect(
      try StoreFile(program.directory.path("Big.sqlite"))
        .rows("SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 1") == [["other"]]
    )
  }
}
