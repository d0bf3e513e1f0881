import BulkTestSupport
import Testing

@Suite("The program on terminals and on devices that take nothing", .program)
struct TerminalTests {
  private static let script = "/usr/bin/script"
  private static let hasScript = FileManager.default.isExecutableFile(atPath: script)
  private static let hasFullDevice = FileManager.default.fileExists(atPath: "/dev/full")

  /// What a run shows on a terminal of 20 columns, which paints a line over itself if it can.
  @Test(
    .enabled(if: hasScript, "skips because there is no script(1)"),
    arguments: ["xterm", "dumb"]
  )
  func `no painted line is wider than the terminal, and a dumb one gets plain lines`(
    terminal: String
  ) throws {
    let migration = try LongMigration()
    let program = try #require(Program.path)
    let run = try ProcessRun(
      Self.script,
      ["-qec", "stty cols 20 rows 5; exec '\(program)' run", "/dev/null"],
      in: migration.program.directory.path,
      environment: ["TERM": terminal]
    ).ending(0)
    #expect(run.output.contains("\u{1B}") == (terminal == "xterm"))
    // A painted line stands between an erasure and the next one.
    let painted = run.output.components(separatedBy: "\r\u{1B}[K").dropFirst()
      .map { $0.prefix { $0 != "\r" && $0 != "\n" && $0 != "\r\n" } }
    // The last one is what is written once the line is erased.
    #expect(painted.dropLast().allSatisfy { $0.count <= 19 }, "\(painted)")
    #expect(run.output.contains("Big.sqlite: 28,572 rows, "))
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test(.enabled(if: hasFullDevice, "skips without /dev/full"))
  func `a log that cannot be written costs the log only, a result is an error`() throws {
    let program = try Program()
    #expect(try program(Program.plan + ["-q"]).status == 0)
    #expect(try program.shell("$0 run -v 2> /dev/full").status == 0)
    #expect(try program.migrated.rows(of: "ZNOTE").count == 3)
    program.remove("New.sqlite")
    let run = try program.shell("$0 run -q > /dev/full").ending(74)
    #expect(run.errors == "bulkmigrate: the output cannot be written: No space left on device\n")
    #expect(try program.migrated.rows(of: "ZNOTE").count == 3)
  }
}
