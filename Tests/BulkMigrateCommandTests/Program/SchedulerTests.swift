import BulkTestSupport
import Testing

/// What job arrays, containers and services ask of a run.
@Suite("Runs under a scheduler", .tags(.promise17, .promise18), .program)
struct SchedulerTests {
  private let migration: LongMigration
  private var program: Program { migration.program }

  init() throws { migration = try LongMigration() }

  @Test func `the same command begins, goes on, and finds that all is done`() throws {
    let words = ["run", "-q", "--json", "--resume-if-started"]
    #expect(try migration.isKilled(at: "commit:6", "run", "--json", "--resume-if-started"))
    let done = try program(words, ending: 0)
    let first = try done.object(isLine: true)
    #expect(first["outcome"] as? String == "done")
    let rows = try #require(first["rows"] as? Int)
    let before = try #require(first["resumedAtRow"] as? Int)
    #expect(before > 0)
    #expect(first["rowsOfAttempt"] as? Int == rows - before)
    let second = try program(words).object(isLine: true)
    #expect(second["outcome"] as? String == "already")
    #expect(second["rows"] as? Int == rows)
    #expect(second["rowsOfAttempt"] as? Int == 0)
    #expect(second["plan"] as? String == first["plan"] as? String)
    #expect(try migration.migrated() == migration.undisturbed)
    // A receipt without its destination says nothing.
    #expect(try program(words).status == 0)
    #expect(try migration.migrated() == migration.undisturbed)
    // What went wrong is told, too.
    try FileManager.default.removeItem(atPath: migration.state)
    try program.write("", to: "Big.sqlite")
    let failed = try program("run", "-q", "--json", ending: 73)
    let third = try failed.object(isLine: true)
    #expect(third["outcome"] as? String == "failed")
    #expect(third["exitCode"] as? Int == 73)
    let error = try #require(third["error"] as? [String: Any])
    #expect("\(error["message"] ?? "")".contains("Big.sqlite already exists"), "\(error)")
    #expect((third["peakMemoryBytes"] as? Int ?? 0) > 1 << 20)
  }

  @Test func `state may lie elsewhere, on another file system too`() throws {
    let memory = "/dev/shm"
    let elsewhere =
      FileManager.default.isWritableFile(atPath: memory)
      ? "\(memory)/\(UUID().uuidString)" : program.directory.path("elsewhere")
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    #expect(try migration.isKilled(at: "commit:6", "run", "--state-dir", elsewhere))
    #expect(try migration.leftovers() == ["Big.sqlite.bulkmigrate"])
    // A link beside the destination leads there.
    let status = try program("status", "--json")
    #expect(status.output.contains("\"state\" : \"interrupted\""), "\(status.output)")
    try program("resume", "-q", ending: 0)
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(!FileManager.default.fileExists(atPath: elsewhere))
  }

  @Test func `the plan is found in the state directory, of a live process and of a killed one`()
    throws
  {
    #expect(try program("status").output.hasPrefix("state        no migration is under way\n"))
    let running = try migration.standing(at: "commit:4", "run", "-q", "--max-memory", "300M")
    let live = try program("status")
    #expect(live.output.contains("state        running\n"), "\(live.output)")
    #expect(live.output.contains("process      \(running.number) on "), "\(live.output)")
    running.send(SIGKILL)
    _ = running.end()
    program.remove("bulkmigrate.plan.json")
    let status = try program("status")
    #expect(status.output.contains("state        interrupted\n"), "\(status.output)")
    #expect(status.output.contains("last process \(running.number) on "), "\(status.output)")
    #expect(status.output.contains("memory limit 300 MiB"), "\(status.output)")
    let resumed = try program("resume", ending: 0)
    #expect(resumed.errors.contains("memory limit 300 MiB"))
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `runs that have no time at all come to the end together`() throws {
    let first = try program("run", "-q", "--max-duration", "1ms", ending: 6)
    #expect(first.errors.hasPrefix("warning: stopped"), "\(first.errors)")
    #expect(try migration.leftovers() == ["Big.sqlite.bulkmigrate"])
    let codes = try Slices.codes {
      try program("run", "-q", "--max-duration", "0s", "--resume-if-started")
    }
    #expect(codes.count > 7)
    #expect(codes.dropLast().allSatisfy { $0 == 6 }, "\(codes)")
    #expect(codes.last == 0, "\(codes)")
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try program(Program.plan).status == 0)
    #expect(try program("run", "-q", "--max-duration", "0s").status == 0)
  }

  /// The last is out of time, and still has to come further.
  @Test(
    arguments: [
      (SIGINT, 130, "checkpoint:4", []), (SIGTERM, 143, "checkpoint:4", []),
      (SIGHUP, 129, "checkpoint:4", []), (SIGTERM, 143, "checkpoint:1", ["--max-duration", "0s"]),
    ] as [(Int32, Int32, String, [String])]
  )
  func `a signal ends the run with its transaction`(
    signal: Int32,
    code: Int32,
    step: String,
    words: [String]
  ) throws {
    let run = try migration.standing(at: step, ["run", "-q"] + words)
    run.send(signal)
    #expect(run.goOn() == code)
    #expect(run.errors.contains("continue with: bulkmigrate resume\n"), "\(run.errors)")
    let report = try program("status", "--json").object()
    // The transaction that ran was committed, and none after it.
    #expect(report["checkpoint"] as? Int == step.last?.wholeNumberValue)
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
    let log = try program.text(of: "log")
    #expect(log.contains("continue with: bulkmigrate resume\n"), "\(log)")
    #expect(try migration.leftovers() == ["Big.sqlite.bulkmigrate", "log"])
  }

  private func state(of process: Int32) -> String? {
    let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return line?.split(separator: ")").last?.split(separator: " ").first.map(String.init)
  }
}
