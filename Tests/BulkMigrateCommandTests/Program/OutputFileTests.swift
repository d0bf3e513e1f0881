import BulkTestSupport
import Foundation
import Testing

/// No option that names a file to write takes a store or a plan for it.
@Suite(
  "The program, and the files that it writes beside a store",
  .tags(.promise3, .promise5, .promise7),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct OutputFileTests {
  private let program: Program

  init() throws {
    program = try Program()
    let plan = try program(Program.plan)
    try #require(plan.status == 0, "\(plan.errors)")
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try Files.read(program.directory.path(name))
  }

  /// Tries a command, which must be refused and leave everything as it is.
  private func refuse(_ words: [String], _ reason: String) throws {
    let before = try program.directory.bytes()
    let run = try program(words)
    #expect(run.status == 73, "\(words): \(run.errors)")
    #expect(run.errors.contains(reason), "\(words): \(run.errors)")
    #expect(try program.directory.bytes() == before, "\(words)")
  }

  @Test(arguments: ["--report", "--events"])
  func `a run writes into no store and no plan`(option: String) throws {
    try refuse(
      ["run", option, "Notes.sqlite"],
      option == "--report" ? "it is a store" : "is not a list of events"
    )
    try refuse(["run", option, "New.sqlite"], "it is a store of the plan")
    try refuse(["run", option, "New.sqlite-wal"], "it is a store of the plan")
    try refuse(["run", option, "bulkmigrate.plan.json"], "it exists and is not a ")
    try refuse(["run", option, "v1.mom"], "it exists and is not a ")
    try refuse(["run", option, "none/here"], "its folder does not exist")
  }

  @Test func `results of a verification replace results alone`() throws {
    try #require(try program("run", "-q").status == 0)
    for name in ["Notes.sqlite", "New.sqlite"] {
      try refuse(["verify", "--junit", name], "it is a store of the plan")
    }
    try refuse(["verify", "--junit", "v1.mom"], "it exists and is not a JUnit report")
    try refuse(["verify", "--junit", "none/here"], "its folder does not exist")
    try refuse(["verify", "--proof", "none/here"], "its folder does not exist")
    try refuse(["verify", "--proof", "v1.mom"], "it already exists")
    #expect(try program("verify", "--junit", "results.xml").status == 0)
    #expect(try program("verify", "--junit", "results.xml").status == 0)
  }

  @Test(arguments: [
    ["verify", "--junit"], ["run", "--resume-if-started", "--events"], ["report", "--output"],
  ])
  func `a link in the place of a file is not followed`(words: [String]) throws {
    try #require(try program("run", "-q", "--resume-if-started").status == 0)
    try program.write("", to: "victim")
    for target in ["victim", "dangling"] {
      let link = program.directory.path(target + ".link")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      try refuse(words + [target + ".link"], "cannot be made: it is a symbolic link")
    }
    #expect(
      try program.shell("\"$0\" \(words.joined(separator: " ")) /dev/stdout | cat").status == 0
    )
  }

  @Test(arguments: [0o600, 0o640])
  func `who may read the source may read what holds its values`(mode: Int) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode],
      ofItemAtPath: program.directory.path("Notes.sqlite")
    )
    try #require(try program("run", "-q", "--events", "events.jsonl").status == 0)
    try #require(try program("verify", "--junit", "results.xml").status == 0)
    for name in ["events.jsonl", "results.xml"] { #expect(try program.mode(of: name) == mode) }
  }

  @Test func `a plan goes into a folder that is there`() throws {
    try refuse(Program.plan + ["-o", "none/plan.json"], "its folder does not exist")
  }

  @Test func `events are added to events`() throws {
    #expect(try program("run", "-q", "--events", "events.jsonl").status == 0)
    let first = try bytes("events.jsonl")
    try FileManager.default.removeItem(atPath: program.directory.path("New.sqlite"))
    #expect(try program("run", "-q", "--events", "events.jsonl").status == 0)
    let both = try bytes("events.jsonl")
    #expect(both.starts(with: first))
    #expect(both.count > first.count)
  }

  /// Plans a fleet of one store.
  private func planFleet(of source: String) throws {
    try program.write(
      "{\"id\": \"a\", \"source\": \"\(source)\", \"destination\": \"A.sqlite\"}\n",
      to: "stores.jsonl"
    )
    let plan = try program(
      ["fleet", "plan", "--manifest", "stores.jsonl", "--models", ".", "--to", "v2"]
    )
    try #require(plan.status == 0, "\(plan.errors)")
  }

  @Test func `the results of a fleet go into no store`() throws {
    try planFleet(of: "Notes.sqlite")
    try refuse(["fleet", "run", "--results", "Notes.sqlite"], "holds no results")
    try #require(try program("fleet", "run", "-q").status == 0)
    try refuse(["fleet", "report", "--csv", "Notes.sqlite"], "it already exists")
  }

  @Test func `a store of a fleet that needs no change has its destination`() throws {
    try #require(try program("run", "-q").status == 0)
    try planFleet(of: "New.sqlite")
    let run = try program("fleet", "run", "-q")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "1 store: 1 done\n")
    #expect(
      try StoreFile(program.directory.path("A.sqlite")).rows(of: "ZNOTE")
        == StoreFile(program.directory.path("New.sqlite")).rows(of: "ZNOTE")
    )
    #expect(try program("fleet", "run", "-q").output == "1 store: 1 already\n")
  }
}
