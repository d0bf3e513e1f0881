import BulkTestSupport
import Foundation
import Testing

@Suite(
  "Pausing and throttling",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct ControlCommandTests {
  @Test func `a migration can be asked to wait, and what was asked does not outlast a resumption`()
    throws
  {
    let migration = try LongMigration()
    let program = migration.program
    #expect(try program("pause").status == 66)
    let process = try migration.standing(at: "commit:3", "run", "-q")
    let pause = try program("pause")
    #expect(pause.status == 0, "\(pause.errors)")
    #expect(
      pause.output
        == "\(migration.state): waits from now on; go on with: bulkmigrate pause --off\n"
    )
    #expect(try program("throttle", "3M").status == 0)
    let status = try program("status").output
    let first = try #require(status.split(separator: "\n").first)
    #expect(
      first.wholeMatch(
        of: /state        running, paused since [-0-9T:]+Z, throttled to 3 MiB a second/
      ) != nil,
      "\(status)"
    )
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(program("status", "--json").output.utf8))
        as? [String: Any]
    )
    #expect(report["paused"] as? Bool == true)
    #expect(report["pausedSince"] is String)
    #expect(report["bytesPerSecond"] as? Int == 3 << 20)
    #expect(try program("throttle", "off").status == 0)
    #expect(try program("pause", "--off").output == "\(migration.state): goes on\n")
    #expect(try program("status").output.hasPrefix("state        running\n"))
    #expect(
      try program("throttle", "50MB/s").output
        == "\(migration.state): writes at most 47.7 MiB a second\n"
    )
    #expect(try program("throttle", "0").status == 64)
    #expect(try program("throttle", "fast").status == 64)
    #expect(try program("pause").status == 0)
    process.send(SIGKILL)
    #expect(process.end() == -9)
    let late = try program("pause", "--off")
    #expect(late.status == 66)
    #expect(
      late.errors.contains(
        "no process works on \(migration.state), so there is nothing to ask; bulkmigrate resume goes on with it"
      ),
      "\(late.errors)"
    )
    #expect(try program("resume", "-q").status == 0)
    #expect(try migration.leftovers() == ["Big.sqlite"])
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `a running migration takes another memory limit, and makes the same bytes`() throws {
    let migration = try LongMigration()
    let program = migration.program
    let process = try migration.standing(
      at: "begun:0",
      ["run", "--events", "events.jsonl", "--report", "report.html"]
    )
    let small = try program("memory", "1M")
    #expect(small.status == 7)
    #expect(
      small.errors.contains(
        "a memory limit of 1 MiB is too small: this migration needs at least "
      ),
      "\(small.errors)"
    )
    #expect(small.errors.contains("; it keeps its limit, 256 MiB"), "\(small.errors)")
    let larger = try program("memory", "512M")
    #expect(
      larger.output
        == "\(migration.state): holds at most 512 MiB, from its next batch on\n"
    )
    process.send(SIGCONT)
    // It takes the limit, begins again, and stands still at the same place.
    #expect(process.standsStill())
    #expect(process.goOn() == 0, "\(process.errors)")
    #expect(process.errors.contains("memory limit 512 MiB from now on\n"), "\(process.errors)")
    let events = try String(
      contentsOfFile: program.directory.path("events.jsonl"),
      encoding: .utf8
    )
    #expect(events.contains("\"event\":\"memory\""))
    #expect(events.contains("\"memoryLimit\":536870912"))
    let report = try String(
      contentsOfFile: program.directory.path("report.html"),
      encoding: .utf8
    )
    #expect(report.contains("the memory limit became 512 MiB instead of 256 MiB"))
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `another memory limit outlasts a kill`() throws {
    let migration = try LongMigration()
    let program = migration.program
    let process = try migration.standing(at: "begun:0", "run", "-q")
    #expect(try program("memory", "512M").status == 0)
    process.send(SIGCONT)
    #expect(process.standsStill())
    #expect(try program("status").output.contains("memory limit 512 MiB"))
    process.send(SIGKILL)
    #expect(process.end() == -9)
    let none = try program("memory", "512M")
    #expect(none.status == 66)
    #expect(
      none.errors.contains("no process works on \(migration.state), so there is nothing to ask")
    )
    let resumed = try program("resume")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(resumed.errors.contains("memory limit 512 MiB"), "\(resumed.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `a migration without checkpoints keeps its memory limit`() throws {
    let migration = try LongMigration()
    let process = try migration.standing(at: "begun:0", "run", "-q", "--no-checkpoints")
    let fixed = try migration.program("memory", "512M")
    #expect(fixed.status == 64)
    #expect(fixed.errors.contains("the migration keeps its memory limit, 256 MiB"))
    #expect(process.goOn() == 0, "\(process.errors)")
  }

  private static let migrate = [
    "migrate", "Source.sqlite", "--mapping", "all.json", "--destination-model", "B.xcdatamodel",
  ]

  @Test func `a migration in place takes another memory limit, and makes the same bytes`() throws {
    let migration = try LongMigration()
    let program = migration.program
    try FileManager.default.removeItem(atPath: program.directory.path("bulkmigrate.plan.json"))
    let process = try migration.standing(at: "begun:0", Self.migrate)
    let state = program.directory.path("Source.sqlite.bulkmigrate/state")
    let small = try program("memory", "1M")
    #expect(small.status == 7, "\(small.errors)")
    let larger = try program("memory", "512M", "--store", "Source.sqlite")
    #expect(
      larger.output == "\(state): holds at most 512 MiB, from its next batch on\n",
      "\(larger.errors)"
    )
    process.send(SIGCONT)
    #expect(process.standsStill())
    let status = try program("status", "--state-dir", "Source.sqlite.bulkmigrate")
    #expect(status.output.contains("memory limit 512 MiB"), "\(status.output)")
    // A kill does not end it, and what was asked for else is forgotten.
    #expect(try program("pause").status == 0)
    process.send(SIGKILL)
    #expect(process.end() == -9)
    let interrupted = try program("status")
    #expect(
      interrupted.output.contains(
        "next         bulkmigrate migrate \(program.directory.path("Source.sqlite")) with its options"
      ),
      "\(interrupted.output)"
    )
    let again = try migration.standing(at: "begun:0", Self.migrate)
    #expect(try program("status", "--store", "Source.sqlite").output.contains("limit 512 MiB"))
    #expect(again.goOn() == 0, "\(again.errors)")
    let made = URL(fileURLWithPath: program.directory.path("Source.sqlite"))
    #expect(try Data(contentsOf: made) == migration.undisturbed)
    let none = try program("pause", "--store", "Source.sqlite")
    #expect(none.status == 66)
    #expect(
      none.errors.contains(
        "no interrupted migration in \(state); bulkmigrate migrate Source.sqlite with its options begins one"
      ),
      "\(none.errors)"
    )
    #expect(try program("pause", "--store", "a", "--plan", "b").status == 64)
  }
}
