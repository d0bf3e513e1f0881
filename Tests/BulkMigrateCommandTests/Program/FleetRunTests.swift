import BulkTestSupport
import Testing

/// Many stores by one manifest, each exactly once.
@Suite("Runs of fleets", .tags(.promise1, .promise6, .promise8, .promise9, .promise20), .program)
struct FleetRunTests {
  private func run(_ folder: FleetFolder, _ words: String...) throws -> ProcessRun {
    try folder.program(["fleet", "run", "-q"] + words)
  }

  @Test func `every store becomes what a single run makes of it, and a second run says already`()
    throws
  {
    let folder = try FleetFolder(stores: 4)
    try folder.plan()
    let first = try run(folder, "--workers", "2", "--verify", "full").ending(0)
    #expect(first.output == "4 stores: 4 done\n")
    let single = try folder.single()
    for number in 1...4 { #expect(try folder.made("s\(number)") == single, "s\(number)") }
    #expect(try run(folder).output == "4 stores: 4 already\n")
    let lines = try folder.results()
    #expect(lines.count == 8)
    #expect(lines.prefix(4).allSatisfy { FleetFolder.isVerified($0) == true })
    #expect(lines.suffix(4).allSatisfy { $0["rowsOfAttempt"] as? Int == 0 })
    #expect(lines.allSatisfy { $0["version"] as? String == "v1" })
    #expect(lines.allSatisfy { $0["destinationVersion"] as? String == "v2" })
    // What made a store is told, and not that it was found made.
    let status = "OUTCOME    STORES\ndone            4\nnot begun       0\n"
    #expect(try folder.program("fleet", "status").output == status)
    let retry = try folder.program("fleet", "retry", "-o", "rest.jsonl")
    #expect(retry.output == "nothing is left, so no manifest is written\n")
    // What was made of a source that is gone stays made, also where a power cut has named the receipt as before.
    folder.program.remove("s3.sqlite")
    let state = folder.program.directory.path("new/s3.sqlite.bulkmigrate")
    try FileManager.default.moveItem(atPath: "\(state)/finished", toPath: "\(state)/checkpoint-0")
    #expect(try run(folder).output == "4 stores: 4 already\n")
  }

  @Test func `a name that leads out of the root since the plan is not followed`() throws {
    let folder = try FleetFolder(stores: 2)
    try folder.plan("--root", ".")
    let (path, outside) = (
      folder.program.directory.path("s1.sqlite"), TemporaryDirectory()
    )
    try FileManager.default.moveItem(atPath: path, toPath: outside.path("s1.sqlite"))
    try FileManager.default.createSymbolicLink(
      atPath: path,
      withDestinationPath: outside.path("s1.sqlite")
    )
    #expect(try run(folder).status == 3)
    #expect(try folder.outcomes().contains("s2 done 0"))
    let line = try #require(try folder.results().first { $0["id"] as? String == "s1" })
    #expect("\(line)".contains("is outside of"))
    #expect(try outside.contents() == ["s1.sqlite"])
  }

  @Test func `what fails is told by its code, and is planned and run again once it is corrected`()
    throws
  {
    let folder = try FleetFolder(stores: 4)
    let directory = folder.program.directory
    try folder.program.write("no store", to: "s2.sqlite")
    try FileManager.default.removeItem(atPath: directory.path("s3.sqlite"))
    let planned = try folder.program(FleetFolder.planning)
    #expect(planned.output.contains("2 that cannot be migrated as they are"))
    // The parts of a fleet are disjoint, and together all of it; the bins of a fleet are those that hold its stores.
    #expect(try run(folder, "--bin", "1/2", "--results", "r1.jsonl").status == 3)
    let status = try folder.program("fleet", "status", "--results", "r1.jsonl").output
    #expect(status.contains("not begun         2\n"), "\(status)")
    #expect(try run(folder, "--bin", "2/2", "--results", "r2.jsonl").status == 3)
    #expect(
      try (folder.outcomes("r1.jsonl") + folder.outcomes("r2.jsonl")).sorted()
        == ["s1 done 0", "s2 quarantined 65", "s3 quarantined 66", "s4 done 0"]
    )
    let results = ["--results", "r1.jsonl", "--results", "r2.jsonl"]
    #expect(try folder.program(["fleet", "report", "--table", "r.sqlite"] + results).status == 0)
    let rows = try StoreFile(directory.path("r.sqlite")).rows(
      "SELECT count(*), sum(rows) FROM stores"
    )
    #expect(rows == [[4, 6]])
    let retry = ["fleet", "retry", "-o", "rest.jsonl"] + results
    let none = try folder.program(retry + ["--failure", "transient"]).output
    #expect(none == "no store has such a failure, so no manifest is written\n")
    let left = try folder.program(retry + ["--failure", "permanent"]).output
    #expect(left == "2 of 4 stores are left\n")
    #expect(try folder.program(retry).status == 73)
    for name in ["s2", "s3"] {
      try? FileManager.default.removeItem(atPath: directory.path("\(name).sqlite"))
      try FileManager.default.copyItem(
        atPath: directory.path("Notes.sqlite"),
        toPath: directory.path("\(name).sqlite")
      )
    }
    let words = FleetFolder.planning.map { $0 == "stores.jsonl" ? "rest.jsonl" : $0 }
    #expect(try folder.program(words).status == 0)
    #expect(try run(folder).output == "2 stores: 2 done\n")
  }

  @Test func `more may be lost than was planned, where that is asked for`() throws {
    let folder = try FleetFolder(stores: 1)
    try folder.program.write(.of(EntityDescription("Note")), to: "models/v3.mom")
    let planning = FleetFolder.planning.map { $0 == "v2" ? "v3" : $0 }
    #expect(try folder.program(planning).status == 0)
    let refused = try run(folder).ending(3)
    #expect(refused.errors.contains("pass --max-loss 2"), "\(refused.errors)")
    #expect(try run(folder, "--max-loss", "2").status == 0)
  }

  @Test func `objects that break rules are left out of their store`() throws {
    let folder = try FleetFolder(stores: 1)
    try folder.planRequiringTitles()
    #expect(try run(folder).status == 3)
    #expect(try run(folder, "--on-error", "quarantine", "--max-rejects", "0").status == 3)
    let done = try run(folder, "--on-error", "quarantine").ending(3)
    #expect(done.output == "1 store: 1 done; 1 left objects out\n")
    #expect(try folder.results().last?["rejected"] as? Int == 1)
    #expect(try folder.results().last?["exitCode"] as? Int == 3)
    #expect(
      try folder.program.names(in: "new/s1.sqlite.bulkmigrate/rejects").contains("Note.jsonl")
    )
    let again = try run(folder, "--on-error", "quarantine")
    #expect(again.output == "1 store: 1 already; 1 left objects out\n")
  }

  @Test func `canaries come first and are verified, and stop a fleet that they fail in`() throws {
    let folder = try FleetFolder(stores: 5)
    try folder.plan()
    #expect(try run(folder, "--canary", "40%").status == 0)
    let verified = try folder.results().map(FleetFolder.isVerified)
    #expect(verified == [true, true, nil, nil, nil])
    for number in 1...5 {
      folder.program.remove("new/s\(number).sqlite.bulkmigrate")
    }
    let stopped = try run(folder, "--canary=1", "--retries=0", "--results=2.jsonl").ending(1)
    #expect(stopped.errors.contains("stopped after 1 failure, by --canary or --max-failures"))
    #expect(try folder.outcomes("2.jsonl").count == 1)
  }

  /// Whether a power cut has undone the last steps: the receipt's name, and the end of the unfinished store's.
  @Test(arguments: [false, true])
  func `a source that changed since it was migrated is told`(isUndone: Bool) throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan()
    #expect(try run(folder).status == 0)
    let (source, made) = (
      folder.program.directory.path("s1.sqlite"), folder.program.directory.path("new/s1.sqlite")
    )
    if isUndone {
      let state = "\(made).bulkmigrate"
      let receipt = try String(contentsOfFile: "\(state)/finished", encoding: .utf8)
      let attempt = try #require(receipt.firstMatch(of: /"attempt":"([-0-9A-F]+)"/)).1
      try FileManager.default.moveItem(atPath: "\(state)/finished", toPath: "\(state)/checkpoint-0")
      try FileManager.default.linkItem(
        atPath: made,
        toPath: "\(state)/destination-\(attempt).sqlite"
      )
    }
    try StoreFile(source).execute("UPDATE ZNOTE SET Z_OPT = 7")
    let again = try run(folder).ending(3)
    #expect(
      again.errors.hasPrefix(
        "warning: s1: s1.sqlite has changed since new/s1.sqlite was made of it"
      )
    )
    #expect(try folder.outcomes() == ["s1 done 0", "s1 failed 73"])
  }

  @Test func `a worker that is killed behind a store's last step costs nothing but an attempt`()
    throws
  {
    let folder = try FleetFolder(stores: 2)
    try folder.plan()
    try folder.program(
      ["fleet", "run", "-q", "--workers", "2"],
      environment: ["BULKMIGRATE_FAILPOINT": "published:0"]
    ).ending(0)
    #expect(try folder.outcomes() == ["s1 done 0", "s1 stopped 6", "s2 done 0", "s2 stopped 6"])
    #expect(try folder.made("s1") == folder.single())
  }

  @Test func `a fleet whose coordinator is killed is gone on with`() throws {
    let folder = try FleetFolder(stores: 3)
    try folder.plan()
    let process = try folder.program.start(["fleet", "run", "-q"])
    process.send(SIGKILL)
    _ = process.end()
    try run(folder).ending(0)
    let single = try folder.single()
    for number in 1...3 { #expect(try folder.made("s\(number)") == single) }
  }

  // MARK: Staged stores

  @Test func `stores are fetched and put by commands, and never overwritten`() throws {
    let folder = try FleetFolder(stores: 2)
    try folder.program.write("theirs", to: "new/s2.sqlite")
    try folder.plan("--staged")
    let words = Self.staging
    try folder.program(["fleet", "run", "-q"] + words, ending: 3)
    #expect(try folder.outcomes() == ["s1 done 0", "s2 failed 73"])
    #expect(try folder.made("s1") == folder.single())
    #expect(try folder.made("s2") == Data("theirs".utf8))
    // Killed between the store and its receipt: the bytes are the same.
    folder.program.remove("new/s1.sqlite.receipt.json")
    for (name, outcome) in [("2.jsonl", "done"), ("3.jsonl", "already")] {
      _ = try folder.program(["fleet", "run", "-q", "--results", name] + words)
      #expect(try folder.outcomes(name).contains("s1 \(outcome) 0"))
    }
    #expect(try folder.program(["fleet", "run", "--stage-in", "x"]).status == 64)
    let braces = ["--stage-in", "cp '{from}' \"$TO\""] + words.dropFirst(2)
    let failure = try folder.program(["fleet", "run"] + braces).ending(64)
    #expect(failure.errors.contains("write \"$FROM\" and \"$TO\""), "\(failure.errors)")
  }

  private static let staging = [
    "--stage-in", #"[ -e "$FROM" ] || exit 66; cp "$FROM" "$TO""#,
    "--stage-out", #"ln -T "$FROM" "$TO" 2>/dev/null || { [ -e "$TO" ] && exit 73; exit 74; }"#,
    "--scratch", "scratch",
  ]

  @Test func `no name of a manifest is executed`() throws {
    let folder = try FleetFolder(stores: 1)
    let name = "$(touch OWNED) `touch OWNED` '\"; touch OWNED"
    try FileManager.default.copyItem(
      atPath: folder.program.directory.path("s1.sqlite"),
      toPath: folder.program.directory.path(name)
    )
    let quoted = name.replacingOccurrences(of: "\"", with: "\\\"")
    try folder.program.write(
      "{\"id\": \"s1\", \"source\": \"\(quoted)\", \"destination\": \"new/s1.sqlite\"}\n",
      to: "stores.jsonl"
    )
    try folder.plan("--staged")
    try folder.program(["fleet", "run", "-q"] + Self.staging, ending: 0)
    #expect(try !folder.program.directory.contents().contains("OWNED"))
    #expect(try folder.made("s1") == folder.single())
  }

  @Test func `a folder of others in the scratch folder is left alone`() throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan("--staged")
    // The first 24 digits of the SHA-256 of the store's id, as `printf s1 | sha256sum` says.
    let step = "scratch/e8bc163c82eee18733288c7d"
    try folder.program.write("mine", to: "\(step)/letter.txt")
    try folder.program(["fleet", "run", "-q"] + Self.staging, ending: 3)
    #expect(try folder.outcomes() == ["s1 failed 73"])
    #expect(try folder.program.names(in: step) == ["letter.txt"])
  }
}
