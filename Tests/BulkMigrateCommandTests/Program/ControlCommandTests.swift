import BulkTestSupport
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
    #expect(try migration.killed(at: "commit:3", ["run", "-q"]))
    let pause = try program("pause")
    #expect(pause.status == 0, "\(pause.errors)")
    #expect(
      pause.output
        == "\(migration.state): waits from now on; go on with: bulkmigrate pause --off\n"
    )
    #expect(try program("pause", "--off").output == "\(migration.state): goes on\n")
    #expect(
      try program("throttle", "50MB/s").output
        == "\(migration.state): writes at most 47.7 MiB a second\n"
    )
    #expect(try program("throttle", "0").status == 64)
    #expect(try program("throttle", "fast").status == 64)
    #expect(try program("pause").status == 0)
    #expect(try program("resume", "-q").status == 0)
    #expect(try migration.leftovers() == ["Big.sqlite"])
    #expect(try migration.migrated() == migration.undisturbed)
  }
}
