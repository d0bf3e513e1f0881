#if os(Linux)
import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// Many stores by one manifest, each exactly once.
@Suite(
  "Runs of fleets",
  .tags(.promise1, .promise3, .promise6, .promise7, .promise8, .promise9, .promise20),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct FleetRunTests {
  private func run(_ folder: FleetFolder, _ words: String...) throws -> ProcessRun {
    try folder.program(["fleet", "run", "-q"] + words)
  }

  @Test func `every store becomes what a single run makes of it, and a second run says already`()
    throws
  {
    let folder = try FleetFolder(stores: 6)
    try folder.plan()
    let first = try run(folder, "--workers", "2")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output == "6 stores: 6 done\n")
    let single = try folder.single()
    for number in 1...6 { #expect(try folder.made("s\(number)") == single, "s\(number)") }
    let second = try run(folder)
    #expect(second.status == 0)
    #expect(second.output == "6 stores: 6 already\n")
    let lines = try folder.results()
    #expect(lines.count == 12)
    #expect(lines.suffix(6).allSatisfy { $0["rowsOfAttempt"] as? Int == 0 })
    #expect(lines.allSatisfy { $0["version"] as? String == "v1" })
    // What a worker holds when it begins, and what a plan needs beyond that.
    let least = lines.compactMap { $0["leastMemoryBytes"] as? Int }
    #expect(least.count == 12 && least.allSatisfy { (20 << 20..<128 << 20).contains($0) })
    #expect(lines.allSatisfy { $0["destinationVersion"] as? String == "v2" })
    // What made a store is told, and not that it was found made.
    #expect(
      try folder.program("fleet", "status").output == """
        OUTCOME    STORES
        done            6
        not begun       0

        """
    )
    let report = try folder.program("fleet", "report", "--json").output
    #expect(report.contains("\"attempts\" : 1"))
    #expect(!report.contains("\"attempts\" : 2"))
    // What was made of a source that is gone stays made.
    try FileManager.default.removeItem(atPath: folder.program.directory.path("s3.sqlite"))
    #expect(try run(folder).output == "6 stores: 6 already\n")
  }

  @Test func `a store whose receipt a power cut has named as before stays made`() throws {
    let folder = try FleetFolder(stores: 2)
    try folder.plan()
    #expect(try run(folder).output == "2 stores: 2 done\n")
    let directory = folder.program.directory
    for line in try folder.results() {
      let destination = try #require(line["destination"] as? String)
      let state = "\(destination).bulkmigrate"
      try FileManager.default.moveItem(atPath: "\(state)/finished", toPath: "\(state)/checkpoint-0")
    }
    try FileManager.default.removeItem(atPath: directory.path("s1.sqlite"))
    #expect(try run(folder).output == "2 stores: 1 done, 1 already\n")
    #expect(try run(folder).output == "2 stores: 2 already\n")
  }

  @Test func `a name that leads out of the root since the plan is not followed`() throws {
    let folder = try FleetFolder(stores: 2)
    try folder.plan("--root", ".")
    let directory = folder.program.directory
    let outside = try TemporaryDirectory()
    let before = try Data(contentsOf: URL(fileURLWithPath: directory.path("s1.sqlite")))
    try before.write(to: URL(fileURLWithPath: outside.path("s1.sqlite")))
    try FileManager.default.removeItem(atPath: directory.path("s1.sqlite"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("s1.sqlite"),
      withDestinationPath: outside.path("s1.sqlite")
    )
    #expect(try run(folder).status == 3)
    #expect(try folder.outcomes().contains("s2 done 0"))
    let line = try #require(try folder.results().first { $0["id"] as? String == "s1" })
    #expect("\(line)".contains("is outside of"))
    #expect(try outside.contents() == ["s1.sqlite"])
  }

  @Test func `stores that cannot be migrated are quarantined with their codes`() throws {
    let folder = try FleetFolder(stores: 3)
    try folder.program.write("no store", to: "s2.sqlite")
    try FileManager.default.removeItem(atPath: folder.program.directory.path("s3.sqlite"))
    let planned = try folder.program(FleetFolder.planning)
    #expect(planned.status == 0)
    #expect(planned.output.contains("2 that cannot be migrated as they are"))
    let done = try run(folder)
    #expect(done.status == 3)
    #expect(try folder.outcomes() == ["s1 done 0", "s2 quarantined 65", "s3 quarantined 66"])
    // What is left can be planned and run as any other fleet, after it was corrected.
    #expect(try folder.program("fleet", "retry", "-o", "rest.jsonl").status == 0)
    for name in ["s2", "s3"] {
      try? FileManager.default.removeItem(atPath: folder.program.directory.path("\(name).sqlite"))
      try FileManager.default.copyItem(
        atPath: folder.program.directory.path("Notes.sqlite"),
        toPath: folder.program.directory.path("\(name).sqlite")
      )
    }
    let words = [
      "fleet", "plan", "-q", "--manifest", "rest.jsonl", "--models", "models", "--to", "v2",
    ]
    #expect(try folder.program(words).status == 0)
    #expect(try run(folder).output == "2 stores: 2 done\n")
  }

  @Test func `a fleet beyond its limit of failures stops, and begins few stores after it`() throws {
    let folder = try FleetFolder(stores: 40)
    for number in stride(from: 1, through: 40, by: 4) {
      try folder.program.write("no store", to: "s\(number).sqlite")
    }
    try folder.plan()
    let stopped = try run(folder, "--max-failures", "5%")
    #expect(stopped.status == 1)
    let outcomes = try folder.outcomes()
    #expect(outcomes.count { $0.contains("quarantined") } == 3)
    #expect(outcomes.count < 40)
    #expect(
      stopped.errors.contains(
        "stopped after 3 failures, by --canary, --max-failures or --stop-on; not begun: \(40 - outcomes.count)"
      )
    )
    let code = try run(folder, "--stop-on", "65", "--results", "other.jsonl")
    #expect(code.status == 1)
    #expect(try folder.outcomes("other.jsonl").count { $0.contains("quarantined") } == 1)
    #expect(try run(folder).status == 3)
  }

  @Test func `nothing that is left makes no manifest`() throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan()
    #expect(try run(folder).status == 0)
    let retry = try folder.program("fleet", "retry", "-o", "rest.jsonl")
    #expect(retry.status == 0)
    #expect(retry.output == "nothing is left, so no manifest is written\n")
    #expect(try !folder.program.names(in: ".").contains("rest.jsonl"))
  }

  @Test func `more may be lost than was planned, where that is asked for`() throws {
    let folder = try FleetFolder(stores: 1)
    try TestStore.write(
      .of(EntityDescription("Note")),
      to: folder.program.directory.path("models/v3.mom")
    )
    let planning = FleetFolder.planning.map { $0 == "v2" ? "v3" : $0 }
    #expect(try folder.program(planning).status == 0)
    let refused = try run(folder)
    #expect(refused.status == 3)
    #expect(refused.errors.contains("pass --max-loss 2 or --max-loss all"), "\(refused.errors)")
    #expect(try run(folder, "--max-loss", "2").status == 0)
  }

  @Test func `objects that break rules are left out of their store`() throws {
    let folder = try FleetFolder(stores: 1)
    try TestStore.write(
      .of(EntityDescription("Note", [.required("title")])),
      to: folder.program.directory.path("models/v3.mom")
    )
    try folder.program.write(
      """
      { "bulkmigrate": "mapping/1", "source": { "model": "../models/v1.mom" },
        "destination": { "model": "../models/v3.mom" }, "entityMappings": [
        { "source": "Note", "destination": "Note", "attributes": { "title": "$source.title" } } ] }
      """,
      to: "mappings/all.json"
    )
    let planning = FleetFolder.planning.map { $0 == "v2" ? "v3" : $0 } + ["--mappings", "mappings"]
    #expect(try folder.program(planning).status == 0)
    #expect(try run(folder).status == 3)
    #expect(try run(folder, "--on-error", "quarantine", "--max-rejects", "0").status == 3)
    let done = try run(folder, "--on-error", "quarantine")
    #expect(done.status == 3)
    #expect(done.output == "1 store: 1 done; 1 left objects out\n")
    #expect(try folder.results().last?["rejected"] as? Int == 1)
    #expect(try folder.results().last?["code"] as? Int == 3)
    #expect(
      try folder.program.names(in: "new/s1.sqlite.bulkmigrate/rejects").contains("Note.jsonl")
    )
    let again = try run(folder, "--on-error", "quarantine")
    #expect(again.output == "1 store: 1 already; 1 left objects out\n")
  }

  @Test func `a page tells of one store`() throws {
    let folder = try FleetFolder(stores: 2)
    try folder.plan()
    let early = try folder.program.failure(["fleet", "report", "--html", "s1", "-o", "s1.html"])
    #expect(early.status == 66)
    #expect(early.errors.hasPrefix("bulkmigrate: s1 was not begun"), "\(early.errors)")
    #expect(try run(folder).status == 0)
    let report = try folder.program("fleet", "report", "--html", "s1", "-o", "s1.html")
    #expect(report.status == 0, "\(report.errors)")
    let page = try String(
      contentsOfFile: folder.program.directory.path("s1.html"),
      encoding: .utf8
    )
    #expect(page.contains("s1.sqlite"))
    #expect(try folder.program("fleet", "report", "--html", "s3", "-o", "-").status == 66)
    #expect(try folder.program("fleet", "report", "--html", "s1", "-o", "s2.sqlite").status == 73)
  }

  @Test func `the page of a store that failed has its error, its attempts and its plan`() throws {
    let folder = try FleetFolder(stores: 2)
    let program = folder.program
    try TestStore.write(
      .of(EntityDescription("Note", [.required("title")])),
      to: program.directory.path("models/v3.mom")
    )
    try program.write(
      """
      { "bulkmigrate": "mapping/1", "source": { "model": "../models/v1.mom" },
        "destination": { "model": "../models/v3.mom" }, "entityMappings": [
        { "source": "Note", "destination": "Note", "attributes": { "title": "$source.title" } } ] }
      """,
      to: "mappings/all.json"
    )
    let planning = FleetFolder.planning.map { $0 == "v2" ? "v3" : $0 } + ["--mappings", "mappings"]
    try #require(try program(planning).status == 0)
    try program.write("no store", to: "s2.sqlite")
    for _ in 1...2 { #expect(try run(folder).status == 3) }
    let failed = try program("fleet", "report", "--html", "s1", "-o", "-").output
    #expect(failed.contains("<span>1 value breaks a rule of the destination&#39;s model; no"))
    #expect(failed.contains("<th scope=\"row\" class=\"n\">2</th>"))
    #expect(failed.contains(">Note → Note</tspan><tspan class=\"count\">, 3</tspan>"))
    let unplanned = try program("fleet", "report", "--html", "s2", "-o", "-")
    #expect(unplanned.status == 0, "\(unplanned.errors)")
    #expect(unplanned.output.contains("The store cannot be planned: "))
    #expect(unplanned.output.contains(">quarantined</td>"))
  }

  @Test func `a name that is a formula does not compute in a table`() throws {
    let folder = try FleetFolder(stores: 1)
    try folder.program.write(
      #"{"id":"=1+1","source":"s1.sqlite","destination":"new/s1.sqlite","class":"@a, \"b\""}"#,
      to: "stores.jsonl"
    )
    try folder.plan()
    #expect(try run(folder).status == 0)
    #expect(try folder.program("fleet", "report", "--csv", "r.csv").status == 0)
    let text = try String(contentsOfFile: folder.program.directory.path("r.csv"), encoding: .utf8)
    let line = try #require(text.split(separator: "\n").dropFirst().first)
    #expect(line.hasPrefix(#""'=1+1",1,1,done,0,,"'@a, ""b""","#), "\(line)")
  }

  @Test func `canaries come first, and are verified`() throws {
    let folder = try FleetFolder(stores: 10)
    try folder.plan()
    #expect(try run(folder, "--canary", "20%", "--wave", "5").status == 0)
    let lines = try folder.results()
    #expect(lines.map { $0["wave"] as? Int } == [1, 1, 2, 2, 2, 2, 2, 3, 3, 3])
    #expect(lines.prefix(2).allSatisfy { $0["verified"] as? Bool == true })
    #expect(lines.dropFirst(2).allSatisfy { $0["verified"] == nil })
  }

  @Test func `a canary that fails keeps the others from beginning, unless failures are allowed`()
    throws
  {
    for (words, count) in [([], 1), (["--max-failures", "100%"], 10)] {
      let folder = try FleetFolder(stores: 10)
      try folder.plan()
      for number in 1...10 {
        try folder.program.write("theirs", to: "new/s\(number).sqlite")
      }
      let stopped = try folder.program(["fleet", "run", "--canary", "1", "--retries", "0"] + words)
      #expect(stopped.status == (count == 1 ? 1 : 3), "\(stopped.errors)")
      #expect(try folder.results().count == count)
    }
  }

  @Test(arguments: ["quick", "full"]) func `every store is verified at a level`(
    level: String
  ) throws {
    let folder = try FleetFolder(stores: 2)
    try folder.plan()
    #expect(try run(folder, "--verify", level).status == 0)
    #expect(try folder.results().allSatisfy { $0["verified"] as? Bool == true })
    #expect(try folder.program(["fleet", "run", "--verify", "some"]).status == 64)
  }

  /// Whether a power cut has undone the last steps: the receipt's name, and the end of the unfinished store's.
  @Test(arguments: [false, true])
  func `a source that changed since it was migrated is told`(isUndone: Bool) throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan()
    #expect(try run(folder).status == 0)
    if isUndone {
      let state = folder.program.directory.path("new/s1.sqlite.bulkmigrate")
      let receipt = try String(contentsOfFile: "\(state)/finished", encoding: .utf8)
      let attempt = try #require(receipt.firstMatch(of: /"attempt":"([-0-9A-F]+)"/)).1
      try FileManager.default.moveItem(atPath: "\(state)/finished", toPath: "\(state)/checkpoint-0")
      try FileManager.default.linkItem(
        atPath: folder.program.directory.path("new/s1.sqlite"),
        toPath: "\(state)/destination-\(attempt).sqlite"
      )
    }
    try StoreFile(folder.program.directory.path("s1.sqlite")).execute("UPDATE ZNOTE SET Z_OPT = 7")
    let again = try run(folder)
    #expect(again.status == 3)
    let (source, made) = (
      folder.program.directory.path("s1.sqlite"), folder.program.directory.path("new/s1.sqlite")
    )
    #expect(
      again.errors == """
        warning: s1: \(source) has changed since \(made) was made of it, or the plan has; to migrate it again, move \
        \(made) and \(made).bulkmigrate away

        """
    )
    #expect(try folder.outcomes() == ["s1 done 0", "s1 failed 73"])
  }

  @Test func `a store of another's bin is left to the process that holds it`() throws {
    let folder = try FleetFolder(stores: 3)
    try folder.plan("--bin-time", "100ms")
    let words = ["fleet", "run", "-q", "--queue", "queue", "--max-starts", "1"]
    // A killed attempt leaves its folder.
    let killed = try folder.program(
      words,
      environment: ["BULKMIGRATE_FAILPOINT": "synchronized:0"]
    )
    #expect(killed.status == 3, "\(killed.errors)")
    // This process holds all bins, and one of the stores.
    let path = folder.program.directory.path("queue")
    let bytes = try String(contentsOfFile: path, encoding: .utf8)
    #expect(bytes.hasSuffix("\nfff"))
    try Data((bytes.dropLast(3) + "---").utf8).write(to: URL(fileURLWithPath: path))
    let queue = open(path, O_RDWR | O_CLOEXEC)
    var bins = flock(l_type: Int16(F_WRLCK), l_whence: 0, l_start: 1, l_len: 0, l_pid: 0)
    try #require(queue >= 0 && fcntl(queue, F_SETLK, &bins) == 0)
    let lock = folder.program.directory.path("new/s2.sqlite.bulkmigrate/lock")
    let store = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(store >= 0 && flock(store, LOCK_EX | LOCK_NB) == 0)
    let other = try folder.program(words + ["--results", "other.jsonl"])
    #expect(other.output == "3 stores: 2 done, 1 overtaken\n")
    #expect(other.status == 6, "\(other.errors)")
    let outcomes = try folder.results("other.jsonl").map {
      "\($0["id"] as? String ?? "") \($0["outcome"] as? String ?? "")"
    }
    #expect(outcomes.sorted() == ["s1 done", "s3 done"])
    #expect(
      !FileManager.default.fileExists(atPath: folder.program.directory.path("new/s2.sqlite"))
    )
    close(store)
    close(queue)
    let rest = try folder.program(words)
    #expect(rest.output == "3 stores: 1 done, 2 already\n")
    #expect(rest.status == 0)
    #expect(try folder.made("s2") == folder.single())
  }

  @Test func `processes that share a queue divide the stores, and help each other at the end`()
    throws
  {
    let folder = try FleetFolder(stores: 9)
    try folder.plan("--bin-time", "150ms")
    let words = ["fleet", "run", "-q", "--queue", "queue"]
    // One stands in its first bin, and holds a store of it.
    let first = try folder.program.start(
      words + ["--results", "r1.jsonl"],
      standingAt: "job-noted:0"
    )
    let second = try run(folder, "--queue", "queue", "--results", "r2.jsonl")
    #expect(second.status == 6, "\(second.errors)")
    #expect(second.output == "9 stores: 9 done\n")
    // Its bin is free when it is killed, and the only one that has not ended.
    first.send(SIGKILL)
    #expect(first.end() != 0)
    let bins = try folder.results("r2.jsonl").suffix(2).compactMap { $0["id"] as? String }
    let third = try run(folder, "--queue", "queue", "--results", "r3.jsonl")
    #expect(third.output == "2 stores: 2 already\n")
    #expect(try folder.results("r3.jsonl").compactMap { $0["id"] as? String } == bins.reversed())
    #expect(try run(folder, "--queue", "queue").output == "no store is left to take\n")
    #expect(try folder.program(words + ["--bin", "1/2"]).status == 64)
    // A byte that means nothing is no end.
    try Data(
      (String(contentsOfFile: folder.program.directory.path("queue"), encoding: .utf8).dropLast()
        + "D").utf8
    )
    .write(to: URL(fileURLWithPath: folder.program.directory.path("queue")))
    #expect(try run(folder, "--queue", "queue").status == 73)
    let single = try folder.single()
    for number in 1...9 { #expect(try folder.made("s\(number)") == single, "s\(number)") }
  }

  @Test func `parts of a fleet are disjoint, and together all of it`() throws {
    let folder = try FleetFolder(stores: 9)
    try folder.plan("--bin-time", "100ms")
    for part in 1...3 {
      #expect(try run(folder, "--bin", "\(part)/3", "--results", "r\(part).jsonl").status == 0)
    }
    let ids = try (1...3).flatMap { try folder.results("r\($0).jsonl") }.compactMap {
      $0["id"] as? String
    }
    #expect(ids.sorted() == (1...9).map { "s\($0)" })
    #expect(try run(folder, "--bin", "4/3").status == 64)
    let report = try folder.program(
      "fleet",
      "report",
      "--json",
      "--results",
      "r1.jsonl",
      "--results",
      "r2.jsonl",
      "--results",
      "r3.jsonl",
      "--table",
      "r.sqlite",
      "--csv",
      "r.csv"
    )
    #expect(report.status == 0, "\(report.errors)")
    let table = StoreFile(folder.program.directory.path("r.sqlite"))
    #expect(try table.rows("SELECT outcome, count(*), sum(rows) FROM stores") == [["done", 9, 27]])
    let text = try String(contentsOfFile: folder.program.directory.path("r.csv"), encoding: .utf8)
    #expect(text.split(separator: "\n").count == 10)
    #expect(text.hasPrefix("id,attempt,wave,outcome,code,"))
  }

  @Test func `a store whose workers are always killed is quarantined, and done when they are not`()
    throws
  {
    let folder = try FleetFolder(stores: 2)
    try folder.plan()
    let killed = try folder.program(
      ["fleet", "run", "-q", "--max-starts", "2"],
      environment: ["BULKMIGRATE_FAILPOINT": "synchronized:0"]
    )
    #expect(killed.status == 3)
    #expect(
      try folder.outcomes() == [
        "s1 quarantined 137", "s1 stopped 6", "s2 quarantined 137", "s2 stopped 6",
      ]
    )
    #expect(try run(folder).output == "2 stores: 2 done\n")
    let single = try folder.single()
    #expect(try folder.made("s1") == single)
    #expect(try folder.made("s2") == single)
  }

  @Test func `a worker that is killed behind a store's last step costs nothing but an attempt`()
    throws
  {
    let folder = try FleetFolder(stores: 2)
    try folder.plan()
    let killed = try folder.program(
      ["fleet", "run", "-q", "--workers", "2"],
      environment: ["BULKMIGRATE_FAILPOINT": "published:0"]
    )
    #expect(killed.status == 0, "\(killed.errors)")
    #expect(try folder.outcomes() == ["s1 done 0", "s1 stopped 6", "s2 done 0", "s2 stopped 6"])
    #expect(try folder.made("s1") == folder.single())
  }

  @Test func `a fleet whose coordinator is killed is gone on with`() throws {
    let folder = try FleetFolder(stores: 3)
    try folder.plan()
    let process = try folder.program.start(["fleet", "run", "-q"])
    process.send(SIGKILL)
    _ = process.end()
    let done = try run(folder)
    #expect(done.status == 0, "\(done.errors)")
    let single = try folder.single()
    for number in 1...3 { #expect(try folder.made("s\(number)") == single) }
  }

  @Test func `models that have changed since are refused`() throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan()
    try FileManager.default.removeItem(atPath: folder.program.directory.path("models/v1.mom"))
    let refused = try folder.program.failure(["fleet", "run"])
    #expect(refused.status == 5)
    #expect(
      refused.errors
        == "bulkmigrate: what bulkmigrate.fleet.json was planned with has changed; plan the fleet again:\n"
        + "bulkmigrate:   models/1/v1.mom is missing\n"
    )
  }

  @Test func `the state of a fleet is told, and what is left by kinds of failures`() throws {
    let folder = try FleetFolder(stores: 4)
    try folder.program.write("no store", to: "s2.sqlite")
    try folder.plan()
    #expect(try run(folder, "--bin-file", "none.jsonl").status == 66)
    try folder.program.write(
      try String(
        contentsOfFile: folder.program.directory.path("bulkmigrate.fleet.stores.jsonl"),
        encoding: .utf8
      ).split(separator: "\n").filter { $0.contains("s1") || $0.contains("s2") }
        .joined(separator: "\n"),
      to: "part.jsonl"
    )
    #expect(try run(folder, "--bin-file", "part.jsonl").status == 3)
    #expect(
      try folder.program("fleet", "status").output == """
        OUTCOME      STORES
        done              1
        quarantined       1
        not begun         2

        """
    )
    let left = try folder.program("fleet", "retry", "--failure", "permanent", "-o", "p.jsonl")
    #expect(left.output == "1 of 4 stores is left\n")
    #expect(
      try folder.program("fleet", "retry", "-o", "a.jsonl").output == "3 of 4 stores are left\n"
    )
    #expect(try folder.program("fleet", "retry", "-o", "a.jsonl").status == 73)
    #expect(try folder.program("fleet", "retry").status == 64)
  }

  @Test func `a line that a kill cut off is no result`() throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan()
    try folder.program.write("{\"id\":\"s1\",\"outc", to: "bulkmigrate.results.jsonl")
    #expect(try run(folder).status == 0)
    #expect(try folder.outcomes() == ["s1 done 0"])
  }

  @Test func `stores are fetched and put by commands, and never overwritten`() throws {
    let folder = try FleetFolder(stores: 2)
    try folder.program.write("theirs", to: "new/s2.sqlite")
    try folder.plan("--staged")
    let words = Self.staging
    let first = try folder.program(["fleet", "run", "-q"] + words)
    #expect(first.status == 3, "\(first.errors)")
    #expect(try folder.outcomes() == ["s1 done 0", "s2 failed 73"])
    #expect(try folder.made("s1") == folder.single())
    #expect(try folder.made("s2") == Data("theirs".utf8))
    // Killed between the store and its receipt: the bytes are the same.
    try FileManager.default.removeItem(
      atPath: folder.program.directory.path("new/s1.sqlite.receipt.json")
    )
    _ = try folder.program(["fleet", "run", "-q", "--results", "2.jsonl"] + words)
    #expect(try folder.outcomes("2.jsonl").contains("s1 done 0"))
    _ = try folder.program(["fleet", "run", "-q", "--results", "3.jsonl"] + words)
    #expect(try folder.outcomes("3.jsonl").contains("s1 already 0"))
    #expect(try folder.program(["fleet", "run", "--stage-in", "x"]).status == 64)
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
    let run = try folder.program(["fleet", "run", "-q"] + Self.staging)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try !folder.program.directory.contents().contains("OWNED"))
    #expect(try folder.made("s1") == folder.single())
  }

  @Test(arguments: ["cp '{from}' \"$TO\"", "cp \"$FROM\" {to}"])
  func `a name that would be put into a command is refused`(command: String) throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan("--staged")
    var words = Self.staging
    words[1] = command
    let failure = try folder.program.failure(["fleet", "run"] + words)
    #expect(failure.status == 64)
    #expect(failure.errors.contains("write \"$FROM\" and \"$TO\""), "\(failure.errors)")
  }

  @Test func `a folder of others in the scratch folder is left alone`() throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan("--staged")
    // The first 24 digits of the SHA-256 of the store's id, as `printf s1 | sha256sum` says.
    let place = "scratch/\(Self.digest)"
    try folder.program.write("mine", to: "\(place)/letter.txt")
    let run = try folder.program(["fleet", "run", "-q"] + Self.staging)
    #expect(run.status == 3, "\(run.errors)")
    #expect(try folder.outcomes() == ["s1 failed 73"])
    #expect(try folder.program.names(in: place) == ["letter.txt"])
  }

  private static let digest = "e8bc163c82eee18733288c7d"

  @Test(arguments: ["bulkmigrate.results.jsonl", "bulkmigrate.results.jsonl.starts"])
  func `a link in the place of results is not followed`(name: String) throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan()
    try folder.program.write("", to: "victim")
    try FileManager.default.createSymbolicLink(
      atPath: folder.program.directory.path(name),
      withDestinationPath: "victim"
    )
    let failure = try folder.program.failure(["fleet", "run", "-q"])
    #expect(failure.status == 73)
    #expect(failure.errors.contains("symbolic link"), "\(failure.errors)")
    #expect(try folder.program.directory.bytes()["victim"] == Data())
  }

  @Test(arguments: ["bulkmigrate.results.jsonl", "bulkmigrate.results.jsonl.starts"])
  func `results are added to results alone, and are for their owner`(name: String) throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan()
    try folder.program.write("mine", to: name)
    #expect(try folder.program(["fleet", "run", "-q"]).status == 73)
    #expect(try folder.program.directory.bytes()[name] == Data("mine".utf8))
    try FileManager.default.removeItem(atPath: folder.program.directory.path(name))
    #expect(try run(folder).status == 0)
    #expect(try folder.program.mode(of: name) == 0o600)
  }

  @Test(arguments: [
    "run --results pipe", "run --bin-file pipe",
    "run --scratch pipe --stage-in false --stage-out false",
    "status --results pipe", "report --results pipe", "report --table pipe",
    "retry --results pipe -o X.jsonl", "pause --results pipe",
  ])
  func `a named pipe in the place of a fleet's file is refused at once`(command: String) throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan()
    #expect(mkfifo(folder.program.directory.path("pipe"), 0o600) == 0)
    let run = try folder.program.shell("timeout -s KILL 20 \"$0\" fleet \(command)")
    #expect(![0, 137].contains(run.status), "\(run.status)")
    #expect(run.errors.contains("pipe"), "\(run.errors)")
  }

  @Test func `what is no request of ours keeps its name beside the results`() throws {
    let folder = try FleetFolder(stores: 1)
    try folder.plan()
    try folder.program.write("mine", to: "bulkmigrate.results.jsonl.control/letter.txt")
    #expect(try run(folder).status == 0)
    #expect(
      try folder.program.names(in: "bulkmigrate.results.jsonl.control") == ["letter.txt"]
    )
  }
}
#endif
