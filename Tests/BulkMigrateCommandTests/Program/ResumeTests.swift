import BulkCoding
import BulkTestSupport
import Foundation
import Testing

@Suite(
  "Migrations that are interrupted",
  .tags(.promise12),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct ResumeTests {
  private let migration: LongMigration
  private var program: Program { migration.program }
  private var undisturbed: Data { migration.undisturbed }

  init() throws { migration = try LongMigration() }

  private func migrated() throws -> Data { try migration.migrated() }

  private func killed(at failpoint: String, _ words: String...) throws -> Bool {
    try migration.killed(at: failpoint, words)
  }

  @Test func `after a kill at any durable step the same bytes come out`() throws {
    var reached = 0
    for step in ["checkpoint", "commit"] {
      for number in 1... {
        guard try killed(at: "\(step):\(number)", "run", "-q") else { break }
        reached += 1
        let resumed = try program("resume", "-q")
        #expect(resumed.status == 0, "after \(step) \(number): \(resumed.errors)")
        #expect(try migrated() == undisturbed, "after \(step) \(number)")
      }
      // What ends the loop is a run that was not killed.
      #expect(try migrated() == undisturbed)
    }
    #expect(reached >= 16)
    #expect(try program.directory.contents().allSatisfy { !$0.hasSuffix(".bulkmigrate") })
  }

  @Test(arguments: ["counted", "synchronized", "published", "durable"])
  func `after a kill while the store is published the same bytes come out`(step: String) throws {
    #expect(try killed(at: "\(step):0", "run", "-q"))
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try migrated() == undisturbed)
    #expect(try program.directory.contents().allSatisfy { !$0.hasSuffix(".bulkmigrate") })
  }

  @Test func `a run that goes on may be killed again and again`() throws {
    #expect(try killed(at: "commit:2", "run", "-q"))
    for number in [3, 4, 5, 6] {
      #expect(try killed(at: "commit:\(number)", "resume", "-q"))
    }
    #expect(try program("resume", "-q").status == 0)
    #expect(try migrated() == undisturbed)
  }

  @Test func `run does not begin over an interrupted one unless told`() throws {
    #expect(try killed(at: "commit:4", "run", "-q"))
    let refused = try program("run", "-q")
    #expect(refused.status == 73)
    #expect(
      refused.errors
        == "bulkmigrate: an interrupted migration is in \(program.directory.path)/Big.sqlite.bulkmigrate; "
        + "continue with bulkmigrate resume, or start over with bulkmigrate run --restart\n"
    )
    #expect(try program("run", "-q", "--restart").status == 0)
    #expect(try migrated() == undisturbed)
  }

  @Test func `there is nothing to resume where nothing was begun`() throws {
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 66)
    #expect(
      resumed.errors
        == "bulkmigrate: there is no interrupted migration in \(program.directory.path)/Big.sqlite.bulkmigrate; "
        + "bulkmigrate run begins one\n"
    )
  }

  @Test func `a damaged checkpoint costs a step, not the migration`() throws {
    #expect(try killed(at: "checkpoint:6", "run", "-q"))
    let folder = program.directory.path("Big.sqlite.bulkmigrate")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix("checkpoint-") }
    #expect(names.sorted() == ["checkpoint-4", "checkpoint-5"])
    for count in [0, 1, 100] {
      let path = folder + "/checkpoint-6"
      let whole = try Data(contentsOf: URL(fileURLWithPath: folder + "/checkpoint-5"))
      try whole.prefix(count).write(to: URL(fileURLWithPath: path))
    }
    #expect(try program("resume", "-q").status == 0)
    #expect(try migrated() == undisturbed)
  }

  @Test func `an interrupted run of another version is not gone on with`() throws {
    #expect(try killed(at: "commit:6", "run", "-q"))
    for name in try FileManager.default.contentsOfDirectory(atPath: migration.state)
    where name.hasPrefix("checkpoint-") {
      let url = URL(fileURLWithPath: "\(migration.state)/\(name)")
      let text = try String(contentsOf: url, encoding: .utf8)
      let body = try #require(text.split(separator: "\n").first)
        .replacing("bulkmigrate 0.1.0, ", with: "bulkmigrate 0.0.9, ")
      var hash = SHA256()
      hash.update(Array(body.utf8))
      let digest = hash.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      try Data("\(body)\n\(digest.joined())\n".utf8).write(to: url)
    }
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 5)
    #expect(resumed.errors.contains("was begun by bulkmigrate 0.0.9, SQLite "), "\(resumed.errors)")
    #expect(resumed.errors.hasSuffix("start over with bulkmigrate run --restart\n"))
    #expect(try program("run", "-q", "--restart").status == 0)
    #expect(try migrated() == undisturbed)
  }

  /// As after a power cut, which may keep some removals and lose others.
  @Test(
    arguments: [
      ["lock"], [], [".bulkmigrate"], [".bulkmigrate", "lock", "plan.json"],
      [".bulkmigrate", "destination-ID-1.sqlite", "lock"],
    ]
  )
  func `what is left of a finished run is removed by the next command`(files: [String]) throws {
    let identity = "6E1F0B0C-52D3-4B40-9F2B-6A6A0D6C5E11"
    let head = "\"stateDirectory\" : \"\(identity)\","
    let contents = [
      ".bulkmigrate": "{\"bulkmigrate\":\"state/1\",\"identity\":\"\(identity)\"}\n",
      "plan.json": "{\n  \(head)\n}\n",
    ]
    #expect(try program("run", "-q").status == 0)
    try FileManager.default.createDirectory(
      atPath: migration.state,
      withIntermediateDirectories: false
    )
    for file in files {
      let name = file.replacing("ID", with: identity)
      try Data((contents[file] ?? "").utf8)
        .write(to: URL(fileURLWithPath: "\(migration.state)/\(name)"))
    }
    #expect(try program("run", "-q").status == 73)
    #expect(try migration.leftovers() == ["Big.sqlite"])
    #expect(try migrated() == undisturbed)
  }
}
