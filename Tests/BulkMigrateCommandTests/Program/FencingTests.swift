#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

/// Two attempts at one migration, of which one does not know of the other.
@Suite(
  "Attempts that are overtaken",
  .tags(.promise14, .promise15),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct FencingTests {
  private let migration: LongMigration
  private var program: Program { migration.program }

  init() throws { migration = try LongMigration() }

  /// Before its second and a late transaction, before a checkpoint, when the store is whole, and just
  /// before it is published.
  @Test(arguments: ["commit:2", "commit:8", "checkpoint:3", "counted:0", "synchronized:0"])
  func `an attempt that stood still fails, and changes nothing`(place: String) throws {
    let first = try migration.standing(at: place, "run", "-q")
    // Without the lock nobody can know that its owner still runs.
    try FileManager.default.removeItem(atPath: migration.state + "/lock")
    let second = try program("resume", "-q")
    #expect(second.status == 0, "\(second.errors)")
    let path = program.directory.path("Big.sqlite")
    let made = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(made == migration.undisturbed)
    #expect(first.goOn() == 9)
    #expect(
      first.errors
        == "bulkmigrate: another process has taken this migration over while this one stood still; "
        + "nothing that this one did counts, see bulkmigrate status --state-dir \(migration.state)\n"
    )
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == made)
    #expect(try migration.leftovers() == ["Big.sqlite"])
  }

  @Test func `an attempt that had published its store before has done its work`() throws {
    let first = try migration.standing(at: "published:0", "run", "-q")
    try FileManager.default.removeItem(atPath: migration.state + "/lock")
    let second = try program("resume", "-q")
    #expect(second.status == 0, "\(second.errors)")
    #expect(first.goOn() == 0)
    #expect(try migration.leftovers() == ["Big.sqlite"])
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `the overtaker may be overtaken too`() throws {
    let first = try migration.standing(at: "commit:2", "run", "-q")
    try FileManager.default.removeItem(atPath: migration.state + "/lock")
    let second = try migration.standing(at: "commit:5", "resume", "-q")
    try FileManager.default.removeItem(atPath: migration.state + "/lock")
    #expect(first.goOn() == 9)
    let third = try program("resume", "-q")
    #expect(third.status == 0, "\(third.errors)")
    #expect(second.goOn() == 9)
    #expect(try migration.leftovers() == ["Big.sqlite"])
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `a live process keeps its migration`() throws {
    let first = try migration.standing(at: "commit:3", "run", "-q")
    for command in [["resume", "-q"], ["run", "-q", "--restart"]] {
      let second = try program(command + ["--lock-wait", "50ms"])
      #expect(second.status == 8)
      #expect(second.errors.contains("process \(first.number) on "), "\(second.errors)")
    }
    #expect(first.goOn() == 0)
    #expect(try migration.migrated() == migration.undisturbed)
  }

  /// Changes what the lock of a killed attempt says of its owner.
  private func rewriteLock(_ key: String, _ value: Any) throws {
    let url = URL(fileURLWithPath: migration.state + "/lock")
    var owner = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
    )
    owner[key] = value
    try JSONSerialization.data(withJSONObject: owner).write(to: url)
  }

  @Test func `a process of another machine is waited for, and then gone on from by copying`() throws
  {
    #expect(try migration.killed(at: "commit:6", ["run", "-q"]))
    try rewriteLock("host", "elsewhere")
    let refused = try program("resume", "-q")
    #expect(refused.status == 8)
    #expect(refused.errors.contains(" on elsewhere has not released "), "\(refused.errors)")
    #expect(refused.errors.contains("--lock-wait 1m"))
    let waited = try program("resume", "-q", "--lock-wait", "200ms")
    #expect(waited.status == 0, "\(waited.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.leftovers() == [])
  }

  /// As after the machine was started anew: its processes are gone, but a container of the same name may
  /// run elsewhere.
  @Test(arguments: ["commit:1", "commit:6", "checkpoint:6", "counted:0", "synchronized:0"])
  func `after a start of the machine the files are copied`(place: String) throws {
    #expect(try migration.killed(at: place, ["run", "-q"]))
    let before = try stores()
    try rewriteLock("boot", "another")
    // The one that copies is killed as well, then goes on in its own files.
    #expect(try migration.killed(at: "published:0", ["resume", "-q"]))
    #expect(try stores() != before || place == "synchronized:0")
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.leftovers() == [])
  }

  // MARK: What models of the protocol found (Plans/models/findings.md)

  @Test func `a resumed attempt takes a number before it touches the files of another`() throws {
    #expect(try migration.killed(at: "commit:3", ["run", "-q"]))
    let before = try numbers()
    #expect(try migration.killed(at: "begun:0", ["resume", "-q"]))
    #expect(try numbers().max() == before.max().map { $0 + 1 })
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.leftovers() == [])
  }

  @Test func `a plan that a power cut took is kept again`() throws {
    #expect(try migration.killed(at: "commit:3", ["run", "-q"]))
    let plan = "\(migration.state)/plan.json"
    try FileManager.default.removeItem(atPath: plan)
    #expect(try migration.killed(at: "begun:0", ["run", "-q", "--resume-if-started"]))
    #expect(FileManager.default.fileExists(atPath: plan))
  }

  @Test func `a store that has its name is finished by a restart, not made again`() throws {
    #expect(try migration.killed(at: "published:0", ["run", "-q"]))
    let restarted = try program("run", "-q", "--restart")
    #expect(restarted.status == 0, "\(restarted.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.leftovers() == [])
  }

  /// As where a lock is not seen: another file with the same contents has its name.
  private func hideLock() throws {
    let (lock, held) = (migration.state + "/lock", program.directory.path("held"))
    try FileManager.default.moveItem(atPath: lock, toPath: held)
    try Data(contentsOf: URL(fileURLWithPath: held)).write(to: URL(fileURLWithPath: lock))
    try FileManager.default.removeItem(atPath: held)
  }

  @Test func `a store whose checkpoint was published before the lock was renewed is copied`() throws
  {
    #expect(try migration.killed(at: "commit:6", ["run", "-q"]))
    try rewriteLock("boot", "another")
    let second = try migration.standing(at: "number-taken:0", "resume", "-q")
    try hideLock()
    try rewriteLock("hasReleased", true)
    let before = try stores()
    let third = try migration.standing(at: "begun:0", "resume", "-q")
    #expect(Set(before).isDisjoint(with: try stores()))
    #expect(second.goOn() == 9)
    #expect(third.goOn() == 0)
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.leftovers() == [])
  }

  @Test func `a store with a checkpoint that came since the folder was entered is copied`() throws {
    #expect(try migration.killed(at: "commit:6", ["run", "-q"]))
    let first = try migration.standing(at: "file-replaced:0", "resume", "-q")
    try hideLock()
    let second = try migration.standing(at: "commit:8", "resume", "-q")
    let before = try stores()
    // Another file has the lock's name by now, so it ends overtaken; it has taken the next number before.
    #expect(first.goOn() == 9)
    #expect(Set(before).isDisjoint(with: try stores()))
    #expect(second.goOn() == 9)
    #expect(try program("resume", "-q").status == 0)
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.leftovers() == [])
  }

  @Test func `a lock that may still be held elsewhere is another file for who takes over`() throws {
    let first = try migration.standing(at: "commit:3", "run", "-q")
    try hideLock()
    try rewriteLock("boot", "another")
    let taken = try inode()
    #expect(try migration.killed(at: "begun:0", ["resume", "-q"]))
    #expect(try inode() != taken)
    #expect(first.goOn() == 9)
    #expect(try program("resume", "-q").status == 0)
    #expect(try migration.migrated() == migration.undisturbed)
  }

  private func inode() throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: migration.state + "/lock")
    return attributes[.systemFileNumber] as? Int
  }

  private func numbers() throws -> [Int] {
    try FileManager.default.contentsOfDirectory(atPath: migration.state).compactMap {
      $0.hasPrefix("checkpoint-") ? Int($0.dropFirst("checkpoint-".count)) : nil
    }
  }

  private func stores() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: migration.state)
      .filter { $0.hasPrefix("destination-") && $0.hasSuffix(".sqlite") }.sorted()
  }
}
#endif
