import BulkTestSupport
import Foundation
import Testing

@Suite("The program on terminals and on devices that take nothing", .program)
struct TerminalTests {
  private static let script = "/usr/bin/script"
  private static let hasScript = FileManager.default.isExecutableFile(atPath: script)
  private static let hasFullDevice = FileManager.default.fileExists(atPath: "/dev/full")

  /// What a run shows on a terminal of 20 columns.
  private func shown(_ migration: LongMigration, terminal: String) throws -> ProcessRun {
    let program = try #require(Program.path)
    let environment = Program.environment.merging(["TERM": terminal]) { $1 }
    return try ProcessRun(
      Self.script,
      ["-qec", "stty cols 20 rows 5; exec '\(program)' run", "/dev/null"],
      in: migration.program.directory.path,
      environment: environment
    )
  }

  @Test(.enabled(if: hasScript, "skips because there is no script(1)"))
  func `no painted line is wider than a terminal of 20 columns`() throws {
    let migration = try LongMigration()
    let run = try shown(migration, terminal: "xterm")
    #expect(run.status == 0, "\(run.output)")
    // A painted line stands between an erasure and the next one.
    let painted = run.output.components(separatedBy: "\r\u{1B}[K").dropFirst()
      .map { $0.prefix { $0 != "\r" && $0 != "\n" && $0 != "\r\n" } }
    // The last one is what is written once the line is erased.
    #expect(painted.dropLast().allSatisfy { $0.count <= 19 }, "\(painted)")
    #expect(run.output.contains("Big.sqlite: 28,572 rows, "))
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test(.enabled(if: hasScript, "skips because there is no script(1)"))
  func `a dumb terminal gets plain lines`() throws {
    let migration = try LongMigration()
    let run = try shown(migration, terminal: "dumb")
    #expect(run.status == 0, "\(run.output)")
    #expect(!run.output.contains("\u{1B}"))
    #expect(run.output.contains("Big.sqlite: 28,572 rows, "))
  }

  @Test(.enabled(if: hasFullDevice, "skips without /dev/full"))
  func `a log that cannot be written costs the log only, a result is an error`() throws {
    let program = try Program()
    #expect(try program(Program.plan + ["-q"]).status == 0)
    #expect(try program.shell("$0 run -v 2> /dev/full").status == 0)
    #expect(try program.migrated.rows(of: "ZNOTE").count == 3)
    program.remove("New.sqlite")
    let run = try program.shell("$0 run -q > /dev/full")
    #expect(run.status == 74)
    #expect(run.errors == "bulkmigrate: the output cannot be written: No space left on device\n")
    #expect(try program.migrated.rows(of: "ZNOTE").count == 3)
  }

  @Test func `a state that nobody began to fill has a report, as far as it is known`() throws {
    let migration = try LongMigration()
    #expect(try migration.killed(at: "begun:0", ["run", "-q"]))
    let report = try migration.program("report", migration.state, "--output", "report.html")
    #expect(report.status == 0, "\(report.errors)")
    #expect(try migration.program.text(of: "report.html").contains("interrupted"))
    #expect(try migration.program("run", "-q", "--restart").status == 0)
  }
}
