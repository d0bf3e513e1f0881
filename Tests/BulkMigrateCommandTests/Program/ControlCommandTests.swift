import BulkTestSupport
import Testing

@Suite("Pausing and throttling", .program)
struct ControlCommandTests {
  @Test func `a migration can be paused, and a request does not outlast a resumption`() throws {
    let migration = try LongMigration()
    let program = migration.program
    #expect(try program("control", "--pause").status == 66)
    let process = try migration.standing(at: "commit:3", "run", "-q")
    let pause = try program("control", "--pause", "--rate", "3M")
    #expect(
      pause.output
        == "Big.sqlite.bulkmigrate: paused until control --resume; writes at most 3 MiB a second\n",
      "\(pause.errors)"
    )
    let status = try program("status").output
    #expect(
      status.prefix { $0 != "\n" }.wholeMatch(
        of: /state        running, paused since [-0-9T:]+Z, throttled to 3 MiB a second/
      ) != nil,
      "\(status)"
    )
    let json = try program("status", "--json").output
    #expect(json.contains(#""isPaused" : true"#) && json.contains(#""bytesPerSecond" : 3145728"#))
    #expect(try JSONSchema(of: "record").faults(of: Data(json.utf8)) == [])
    let resumed = try program("control", "--rate", "off", "--resume").output
    #expect(resumed == "Big.sqlite.bulkmigrate: runs\n")
    #expect(try program("status").output.hasPrefix("state        running\n"))
    #expect(try program("control", "--pause").status == 0)
    process.send(SIGKILL)
    #expect(process.end() == -9)
    let late = try program("control", "--resume", ending: 66)
    #expect(
      late.errors.contains(
        "no process works on Big.sqlite.bulkmigrate, so there is nothing to ask; bulkmigrate resume goes on with it"
      ),
      "\(late.errors)"
    )
    #expect(try program("resume", "-q").status == 0)
    #expect(try migration.leftovers() == ["Big.sqlite"])
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test(arguments: [[], ["--resume-if-started"]])
  func `a migration that is done cannot be controlled`(words: [String]) throws {
    let program = try Program(.call)
    try program(Program.plan, ending: 0)
    try program(["run", "-q"] + words, ending: 0)
    let late = try program("control", "bulkmigrate.plan.json", "--pause", ending: 66)
    #expect(late.errors.contains("the migration is done: New.sqlite is complete"), "\(late.errors)")
  }

  @Test func `a store that migrate works on is controlled by its name`() throws {
    let migration = try LongMigration()
    let program = migration.program
    program.remove("bulkmigrate.plan.json")
    let words = "migrate Source.sqlite --mapping all.json --destination-model B.mom".words
    let process = try migration.standing(at: "begun:0", words)
    #expect(try program("control", "--pause", "Source.sqlite").status == 0)
    process.send(SIGKILL)
    #expect(process.end() == -9)
    #expect(
      try program("status").output.contains(
        "next         bulkmigrate migrate Source.sqlite with its options"
      )
    )
    let again = try migration.standing(at: "begun:0", words)
    #expect(again.goOn() == 0, "\(again.errors)")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: program.directory.path("Source.sqlite")))
        == migration.undisturbed
    )
    let none = try program("control", "--pause", "Source.sqlite", ending: 66)
    #expect(none.errors.contains("bulkmigrate migrate Source.sqlite with its options begins one"))
    #expect(try program("control", "--pause", "--store", "Source.sqlite").status == 64)
  }

  @Test func `the workers of a fleet are throttled and paused, and continue`() throws {
    let folder = try FleetFolder(stores: 3)
    try folder.plan()
    let results = "bulkmigrate.results.jsonl"
    func control(_ words: String...) throws -> ProcessRun {
      try folder.program(["control", "--results", results] + words)
    }
    let early = try control("--pause").ending(66)
    #expect(early.errors.contains("no fleet run appends to \(results) now"), "\(early.errors)")
    let run = try folder.program.start(["fleet", "run"], standingAt: "fleet:0")
    let pause = try control("--pause", "--rate", "50MB/s", "--json")
    #expect(try JSONSchema(of: "control-report").faults(of: Data(pause.output.utf8)) == [])
    for part in [#""bytesPerSecond" : 50000000"#, "\(results)\"", #""paused" : true"#] {
      #expect(pause.output.contains(part), "\(pause.output)")
    }
    let status = try folder.program("fleet", "status").output
    #expect(
      status.hasSuffix(
        "\n\(results): paused until control --resume; writes at most 47.7 MiB a second\n"
      ),
      "\(status)"
    )
    #expect(
      try folder.program("fleet", "status", "--json").output.contains(
        "\"requests\" : [\n    {\n      \"bytesPerSecond\" : 50000000,\n"
      )
    )
    #expect(try control("--resume", "--rate", "off").output == "\(results): runs\n")
    #expect(run.goOn() == 0, "\(run.errors)")
    #expect(try folder.outcomes().count { $0.contains("done 0") } == 3)
    #expect(try !folder.program.names(in: ".").contains("\(results).control"))
  }
}

@Suite("Watching a migration", .program)
struct StatusWatchTests {
  @Test func `a watch shows the rows of a migration that stands still, and ends when it is killed`()
    throws
  {
    let migration = try LongMigration()
    let folder = migration.program.directory
    let run = try migration.standing(at: "commit:3", "run", "-q")
    let watch = try StoppableProcess(
      Program.path ?? "/nowhere",
      ["status", "--watch"],
      in: folder.path,
      environment: [
        "TERM": "dumb", "BULKMIGRATE_STANDSTILL": "watched:0",
      ]
    )
    try #require(watch.standsStill(), "\(watch.errors)")
    run.send(SIGKILL)
    #expect(run.end() == -9)
    #expect(watch.goOn() == 0, "\(watch.errors)")
    #expect(watch.output.contains("state        interrupted"))
    #expect(watch.errors.contains(" of at most 52,000 rows "), "\(watch.errors)")
  }
}
