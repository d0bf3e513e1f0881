import BulkTestSupport
import Testing

/// Two attempts at one migration, of which one does not know of the other.
@Suite("Attempts that are overtaken", .tags(.promise14, .promise15), .program)
struct FencingTests {
  private let migration: Interrupted
  private var lock: URL { URL(fileURLWithPath: migration.state + "/lock") }

  init() throws { migration = try Interrupted() }

  private func expectSuccess(_ words: String...) throws {
    try migration(words + ["-q"]).ending(0)
  }

  private func expectDone() throws {
    #expect(try migration.leftovers() == ["Big.sqlite"])
    #expect(try migration.migrated() == migration.undisturbed)
  }

  /// Changes what the lock of a killed attempt says of its owner.
  private func rewriteLock(_ key: String, _ value: Any) throws {
    let read = try JSONSerialization.jsonObject(with: Data(contentsOf: lock)) as? [String: Any]
    var owner = try #require(read)
    owner[key] = value
    try JSONSerialization.data(withJSONObject: owner).write(to: lock)
  }

  /// As where a lock is not seen: another file with the same contents has its name.
  private func hideLock() throws {
    let held = migration.program.directory.path("held")
    try FileManager.default.moveItem(atPath: lock.path, toPath: held)
    try Files.write(Files.read(held), to: lock.path)
    try FileManager.default.removeItem(atPath: held)
  }

  private func inode() throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: lock.path)[.systemFileNumber] as? Int
  }

  private func files(_ prefix: String, _ suffix: String = "") throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: migration.state)
    return Set(names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) })
  }

  private func stores() throws -> Set<String> { try files("destination-", ".sqlite") }

  /// Before its second and a late transaction, before a checkpoint, when the store is whole, just before it is
  /// published, and after that, when it has done its work.
  @Test(
    arguments: [
      "commit:2", "commit:8", "checkpoint:3", "counted:0", "synchronized:0", "published:0",
    ]
  )
  func `an attempt that stood still changes nothing`(step: String) throws {
    let first = try migration.standing(at: step, "run", "-q")
    // Without the lock nobody can know that its owner still runs.
    try FileManager.default.removeItem(at: lock)
    try expectSuccess("resume")
    if step == "published:0" {
      #expect(first.goOn() == 0)
    } else {
      #expect(first.goOn() == 9)
      #expect(
        first.errors.contains(
          "this attempt was suspended and another process has taken the migration over"
        ),
        "\(first.errors)"
      )
    }
    try expectDone()
  }

  @Test func `the overtaker may be overtaken too`() throws {
    let first = try migration.standing(at: "commit:2", "run", "-q")
    try FileManager.default.removeItem(at: lock)
    let second = try migration.standing(at: "commit:5", "resume", "-q")
    try FileManager.default.removeItem(at: lock)
    #expect(first.goOn() == 9)
    try expectSuccess("resume")
    #expect(second.goOn() == 9)
    try expectDone()
  }

  @Test func `a live process keeps its migration`() throws {
    let first = try migration.standing(at: "commit:3", "run", "-q")
    for command in [["resume", "-q"], ["run", "-q", "--restart"]] {
      let second = try migration(command, environment: ["BULKMIGRATE_LOCK_WAIT": "50ms"]).ending(8)
      #expect(second.errors.contains("process \(first.number) on "), "\(second.errors)")
    }
    #expect(first.goOn() == 0)
    try expectDone()
  }

  @Test func `a process of another machine is waited for, and then gone on from by copying`() throws
  {
    #expect(try migration.isKilled(at: "commit:6"))
    try rewriteLock("host", "elsewhere")
    let refused = try migration("resume", "-q").ending(8)
    #expect(refused.errors.contains(" on elsewhere has not released "), "\(refused.errors)")
    #expect(refused.errors.contains("BULKMIGRATE_LOCK_WAIT=1m"))
    try migration(["resume"], environment: ["BULKMIGRATE_LOCK_WAIT": "200ms"]).ending(0)
    try expectDone()
  }

  /// As after a restart of the machine: its processes are gone, but a container of the same name may
  /// run elsewhere.
  @Test(arguments: ["commit:1", "commit:6", "checkpoint:6", "counted:0", "synchronized:0"])
  func `after a start of the machine the files are copied`(step: String) throws {
    #expect(try migration.isKilled(at: step))
    let before = try stores()
    try rewriteLock("boot", "another")
    // The one that copies is killed as well, then goes on in its own files.
    #expect(try migration.isKilled(at: "published:0", "resume"))
    #expect(try stores() != before || step == "synchronized:0")
    try expectSuccess("resume")
    try expectDone()
  }

  // MARK: What models of the protocol found (Plans/models/findings.md)

  @Test func `a resumed attempt takes a number before it touches the files of another`() throws {
    #expect(try migration.isKilled(at: "commit:3"))
    let before = try files("checkpoint-")
    #expect(try migration.isKilled(at: "begun:0", "resume"))
    let taken = try files("checkpoint-")
    let numbers = [before, taken].map { $0.compactMap { Int($0.dropFirst(11)) }.max() ?? 0 }
    #expect(numbers[1] == numbers[0] + 1)
    try expectSuccess("resume")
    try expectDone()
  }

  @Test func `a plan that a power cut took is kept again`() throws {
    #expect(try migration.isKilled(at: "commit:3"))
    try FileManager.default.removeItem(atPath: "\(migration.state)/plan.json")
    #expect(try migration.isKilled(at: "begun:0", "run", "--resume-if-started"))
    #expect(try files("plan.json") == ["plan.json"])
  }

  @Test func `a store that has its name is finished by a restart, not made again`() throws {
    #expect(try migration.isKilled(at: "published:0"))
    try expectSuccess("run", "--restart")
    try expectDone()
  }

  @Test func `a store whose checkpoint was published before the lock was renewed is copied`() throws
  {
    #expect(try migration.isKilled(at: "commit:6"))
    try rewriteLock("boot", "another")
    let second = try migration.standing(at: "number-taken:0", "resume", "-q")
    try hideLock()
    try rewriteLock("hasReleased", true)
    let before = try stores()
    let third = try migration.standing(at: "begun:0", "resume", "-q")
    #expect(before.isDisjoint(with: try stores()))
    #expect(second.goOn() == 9)
    #expect(third.goOn() == 0)
    try expectDone()
  }

  @Test func `what has come since the folder was entered is left alone`() throws {
    #expect(try migration.isKilled(at: "commit:6"))
    let first = try migration.standing(at: "file-replaced:0", "resume", "-q")
    try hideLock()
    let second = try migration.standing(at: "commit:8", "resume", "-q")
    let before = try stores()
    // It has decided by what was there before, and another file has the lock's name by now.
    #expect(first.goOn() == 9)
    #expect(try stores() == before)
    #expect(second.goOn() == 0)
    try expectDone()
  }

  @Test func `a lock that may still be held elsewhere is another file for who takes over`() throws {
    let first = try migration.standing(at: "commit:3", "run", "-q")
    try hideLock()
    try rewriteLock("boot", "another")
    let taken = try inode()
    #expect(try migration.isKilled(at: "begun:0", "resume"))
    #expect(try inode() != taken)
    #expect(first.goOn() == 9)
    try expectSuccess("resume")
    try expectDone()
  }
}
