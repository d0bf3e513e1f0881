import BulkCoding
import BulkTestSupport
import Foundation
import Testing

@Suite("Migrations that are interrupted", .tags(.promise12), .program)
struct ResumeTests {
  private let migration: LongMigration
  private var program: Program { migration.program }
  private var undisturbed: Data { migration.undisturbed }

  init() throws { migration = try LongMigration() }

  private func migrated() throws -> Data { try migration.migrated() }

  private func killed(at failpoint: String, _ words: String...) throws -> Bool {
    try migration.killed(at: failpoint, words)
  }

  /// Kills a run at a failpoint and resumes it.
  ///
  /// - Returns: Whether the failpoint was reached.
  private func resumesToTheSameBytes(afterKillAt failpoint: String) throws -> Bool {
    guard try killed(at: failpoint, "run", "-q") else { return false }
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 0, "\(failpoint): \(resumed.errors)")
    #expect(try migrated() == undisturbed, "\(failpoint)")
    #expect(try migration.leftovers() == [])
    return true
  }

  @Test func `after a kill at any durable step the same bytes come out`() throws {
    var reached = 0
    for step in ["checkpoint", "commit"] {
      for number in 1... {
        guard try resumesToTheSameBytes(afterKillAt: "\(step):\(number)") else { break }
        reached += 1
      }
      // What ends the loop is a run that was not killed.
      #expect(try migrated() == undisturbed)
    }
    #expect(reached >= 16)
    for step in ["counted", "synchronized", "published", "durable"] {
      #expect(try resumesToTheSameBytes(afterKillAt: "\(step):0"))
    }
  }

  @Test func `one that goes on may be killed again and again, and is not begun anew unless told`()
    throws
  {
    #expect(try killed(at: "commit:2", "run", "-q"))
    #expect(try program("run", "-q").status == 73)
    for number in [3, 4, 5, 6] {
      #expect(try killed(at: "commit:\(number)", "resume", "-q"))
    }
    #expect(try program("resume", "-q").status == 0)
    #expect(try migrated() == undisturbed)
    #expect(try killed(at: "commit:4", "run", "-q"))
    #expect(try program("run", "-q", "--restart").status == 0)
    #expect(try migrated() == undisturbed)
  }

  @Test(arguments: [0, 1, 100])
  func `a damaged checkpoint costs a step, not the migration`(count: Int) throws {
    #expect(try killed(at: "checkpoint:6", "run", "-q"))
    let folder = "Big.sqlite.bulkmigrate"
    let names = try program.names(in: folder).filter { $0.hasPrefix("checkpoint-") }
    #expect(names == ["checkpoint-4", "checkpoint-5"])
    let whole = try program.text(of: "\(folder)/checkpoint-5")
    try program.write(String(whole.prefix(count)), to: "\(folder)/checkpoint-6")
    #expect(try program("resume", "-q").status == 0)
    #expect(try migrated() == undisturbed)
  }

  @Test func `an interrupted run of another version is not gone on with`() throws {
    #expect(try killed(at: "commit:6", "run", "-q"))
    for name in try program.names(in: "Big.sqlite.bulkmigrate") where name.hasPrefix("checkpoint-")
    {
      let path = "Big.sqlite.bulkmigrate/\(name)"
      let body = try #require(program.text(of: path).split(separator: "\n").first)
        .replacing("bulkmigrate 0.1.0, ", with: "bulkmigrate 0.0.9, ")
      var hash = SHA256()
      hash.update(Array(body.utf8))
      let digest = hash.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      try program.write("\(body)\n\(digest.joined())\n", to: path)
    }
    let resumed = try program("resume", "-q", ending: 5)
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
    _ = try program.directory.folder("Big.sqlite.bulkmigrate")
    for file in files {
      let name = file.replacing("ID", with: identity)
      try program.write(contents[file] ?? "", to: "Big.sqlite.bulkmigrate/\(name)")
    }
    #expect(try program("run", "-q").status == 73)
    #expect(try migration.leftovers() == ["Big.sqlite"])
    #expect(try migrated() == undisturbed)
  }
}
