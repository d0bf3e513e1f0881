#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

/// What job arrays, containers and services ask of a run.
@Suite(
  "Runs under a scheduler",
  .tags(.promise17, .promise18),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct SchedulerTests {
  private let migration: LongMigration
  private var program: Program { migration.program }

  init() throws { migration = try LongMigration() }

  private func report(_ run: ProcessRun) throws -> [String: Any] {
    let last = try #require(run.output.split(separator: "\n").last)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
    )
  }

  @Test func `the same command begins, goes on, and finds that all is done`() throws {
    let words = ["run", "-q", "--json", "--resume-if-started"]
    let killed = try program(words, environment: ["BULKMIGRATE_FAILPOINT": "commit:6"])
    #expect(killed.status == -9)
    let done = try program(words)
    #expect(done.status == 0, "\(done.errors)")
    let first = try report(done)
    #expect(first["outcome"] as? String == "done")
    #expect(first["exitCode"] as? Int == 0)
    let rows = try #require(first["rows"] as? Int)
    let before = try #require(first["resumedAtRow"] as? Int)
    #expect(before > 0)
    #expect(first["rowsOfAttempt"] as? Int == rows - before)
    let again = try program(words)
    #expect(again.status == 0)
    let second = try report(again)
    #expect(second["outcome"] as? String == "already")
    #expect(second["rows"] as? Int == rows)
    #expect(second["rowsOfAttempt"] as? Int == 0)
    #expect(second["plan"] as? String == first["plan"] as? String)
    #expect(try migration.migrated() == migration.undisturbed)
    // A receipt without its destination says nothing.
    #expect(try program(words).status == 0)
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `the report tells what went wrong`() throws {
    try Data().write(to: URL(fileURLWithPath: program.directory.path("Big.sqlite")))
    let run = try program("run", "-q", "--json")
    #expect(run.status == 73)
    let report = try report(run)
    #expect(report["outcome"] as? String == "failed")
    #expect(report["exitCode"] as? Int == 73)
    let error = try #require(report["error"] as? [String: Any])
    #expect(
      error["message"] as? String
        == "\(program.directory.path)/Big.sqlite already exists and is not overwritten; name "
        + "another destination or move it away"
    )
    #expect((report["peakMemoryBytes"] as? Int ?? 0) > 1 << 20)
    #expect((report["bytesRead"] as? Int ?? 0) > 0)
  }

  @Test func `state may lie elsewhere, on another file system too`() throws {
    let memory = "/dev/shm"
    let elsewhere =
      FileManager.default.isWritableFile(atPath: memory)
      ? "\(memory)/\(UUID().uuidString)" : program.directory.path("elsewhere")
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    let killed = try migration.killed(at: "commit:6", ["run", "-q", "--state-dir", elsewhere])
    #expect(killed)
    #expect(try migration.leftovers() == ["Big.sqlite.bulkmigrate"])
    // A link beside the destination leads there.
    let status = try program("status", "--json")
    #expect(status.output.contains("\"state\" : \"interrupted\""), "\(status.output)")
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(!FileManager.default.fileExists(atPath: elsewhere))
  }

  @Test func `the plan is found in the state directory`() throws {
    #expect(try migration.killed(at: "commit:4", ["run", "-q", "--max-memory", "300M"]))
    try FileManager.default.removeItem(atPath: program.directory.path("bulkmigrate.plan.json"))
    let status = try program("status")
    #expect(status.status == 0)
    #expect(status.output.contains("state        interrupted\n"), "\(status.output)")
    #expect(status.output.contains("memory limit 300 MiB"), "\(status.output)")
    let resumed = try program("resume", "--no-progress")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(resumed.errors.contains("memory limit 300 MiB"))
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `status tells of nothing, of a live process, and of the end`() throws {
    #expect(try program("status").output.hasPrefix("state        no migration is under way\n"))
    let running = try migration.standing(at: "commit:5", "run", "-q", "--resume-if-started")
    let status = try program("status")
    #expect(status.output.contains("state        running\n"), "\(status.output)")
    #expect(status.output.contains("process      \(running.number) on "), "\(status.output)")
    #expect(running.goOn() == 0)
    let done = try program("status")
    #expect(done.output.hasPrefix("state        done\n"), "\(done.output)")
  }

  @Test func `a run whose time is over ends with work left`() throws {
    let stopped = try program("run", "-q", "--max-duration", "1ms")
    #expect(stopped.status == 6)
    #expect(stopped.errors.hasPrefix("warning: stopped"), "\(stopped.errors)")
    #expect(try migration.leftovers() == ["Big.sqlite.bulkmigrate"])
    #expect(try program("resume", "-q").status == 0)
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `runs that have no time at all come to the end together`() throws {
    let codes = try Slices.codes {
      try program("run", "-q", "--max-duration", "0s", "--resume-if-started")
    }
    #expect(codes.count > 8)
    #expect(codes.dropLast().allSatisfy { $0 == 6 }, "\(codes)")
    #expect(codes.last == 0, "\(codes)")
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `a small migration is done in one piece, whatever its time`() throws {
    let small = try Program()
    #expect(try small(Program.plan).status == 0)
    #expect(try small("run", "-q", "--max-duration", "0s").status == 0)
    #expect(try small.migrated.rows("SELECT count(*) FROM ZNOTE") == [[3]])
  }

  @Test func `a run without checkpoints that is out of time keeps nothing`() throws {
    let run = try program("run", "-q", "--max-duration", "0s", "--no-checkpoints")
    #expect(run.status == 6, "\(run.errors)")
    #expect(try migration.leftovers() == [])
  }

  @Test func `a signal ends a run that is out of time and still has to come further`() throws {
    let run = try migration.standing(at: "checkpoint:1", "run", "-q", "--max-duration", "0s")
    run.send(SIGTERM)
    #expect(run.goOn() == 143)
    #expect(try program("resume", "-q").status == 0)
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test(arguments: [SIGINT: 130, SIGTERM: 143, SIGHUP: 129] as [Int32: Int32])
  func `a signal ends the run with its transaction`(signal: Int32, code: Int32) throws {
    let run = try migration.standing(at: "checkpoint:4", "run", "-q")
    run.send(signal)
    #expect(run.goOn() == code)
    #expect(run.errors.contains("continue with: bulkmigrate resume\n"), "\(run.errors)")
    let status = try program("status", "--json")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any]
    )
    // The transaction that ran was committed, and none after it.
    #expect(report["checkpoint"] as? Int == 4)
    #expect(try program("resume", "-q").status == 0)
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `a run dies with its parent`() throws {
    // The shell starts the program, and ends when it stands still.
    let script = """
      "$0" run -q --die-with-parent > /dev/null 2> log &
      echo $!
      while ! grep -q '^State:.T' /proc/$!/status; do :; done
      """
    let shell = try StoppableProcess(
      "/bin/sh",
      ["-c", script, Program.path ?? "/nowhere"],
      in: program.directory.path,
      environment: ["BULKMIGRATE_STANDSTILL": "commit:3"]
    )
    #expect(shell.end() == 0)
    let number = try #require(Int32(shell.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    kill(number, SIGCONT)
    while let state = state(of: number), state != "Z" {}
    let log = try String(contentsOfFile: program.directory.path("log"), encoding: .utf8)
    #expect(log.contains("continue with: bulkmigrate resume\n"), "\(log)")
    #expect(try migration.leftovers() == ["Big.sqlite.bulkmigrate", "log"])
  }

  private func state(of process: Int32) -> String? {
    let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return line?.split(separator: ")").last?.split(separator: " ").first.map(String.init)
  }

  @Test func `a source that changes between two attempts is refused`() throws {
    #expect(try migration.killed(at: "commit:6", ["run", "-q"]))
    let path = program.directory.path("Source.sqlite")
    try StoreFile(path).execute("UPDATE ZNOTE SET ZTITLE = 'another' WHERE Z_PK = 20000")
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 5)
    #expect(
      resumed.errors
        == "bulkmigrate: the plan does not fit its inputs any more; make a new one:\n"
        + "bulkmigrate:   the source store \(path) has changed\n"
    )
    #expect(try migration.leftovers() == ["Big.sqlite.bulkmigrate"])
  }

  @Test(arguments: ["external:0", "published:0", "synchronized:0", "durable:0"])
  func `a store and its external values come as one`(place: String) throws {
    let folder = program.directory.path(".Source_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("value".utf8).write(to: URL(fileURLWithPath: folder + "/0B61C1D5"))
    #expect(try migration.killed(at: place, ["run", "-q"]))
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
    let value = program.directory.path(".Big_SUPPORT/_EXTERNAL_DATA/0B61C1D5")
    #expect(try String(contentsOfFile: value, encoding: .utf8) == "value")
    #expect(try migration.leftovers() == [".Big_SUPPORT", ".Source_SUPPORT"])
  }

  @Test func `a mistyped time or action is answered with what could be meant`() throws {
    #expect(
      try program("run", "--max-duration", "1").errors
        == "bulkmigrate: --max-duration: '1' is not a time; try 500ms, 15s, 5m or 1h30m\n"
        + "see: bulkmigrate help run\n"
    )
    #expect(
      try program("run", "--on-disk-full", "panic").errors
        == "bulkmigrate: --on-disk-full: 'panic' is neither stop nor wait\n"
        + "see: bulkmigrate help run\n"
    )
  }
}
#endif
