#if os(Linux)
import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// A store is more than its file: staging moves its log and its external values too.
@Suite(
  "Stores that are staged whole",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built"),
  .enabled(if: Python.isPresent, "skips because there is no python3")
)
struct StagedStoreTests {
  private let folder: FleetFolder

  /// Lines that fetch from the folder `far`, which no direct run sees, and put there, noting every name.
  private static let staging = [
    "--stage-in", fetching, "--stage-out", putting, "--scratch", "scratch",
  ]
  private static let fetching =
    #"echo "in ${FROM#far:}" >> calls; [ -e "far/${FROM#far:}" ] || exit 66; cp "far/${FROM#far:}" "$TO""#
  private static let putting = #"""
    to=${TO#far:}; echo "out $to" >> calls; mkdir -p "$(dirname "far/$to")"
    ln -T "$FROM" "far/$to" 2>/dev/null || { [ -e "far/$to" ] && exit 73; exit 74; }
    """#
  private static let value = "0B61C1D5-4D0C-4C9E-9E57-3D8E5B7E9A10"
  private static let supportName = "far/old/.a.b_SUPPORT/_EXTERNAL_DATA"

  init() throws {
    folder = try FleetFolder(stores: 1)
    try folder.program.write(
      #"{"id":"s1","source":"far:old/a.b.sqlite","destination":"far:new/c.sqlite"}"# + "\n",
      to: "stores.jsonl"
    )
    _ = try folder.program.directory.folder("far/old")
  }

  private func path(_ name: String) -> String { folder.program.directory.path(name) }

  private func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
  }

  /// Moves the store to where only the lines find it, and lets the fleet migrate it.
  private func run() throws -> ProcessRun {
    try move("s1.sqlite", to: "far/old/a.b.sqlite")
    for suffix in ["-wal", "-journal"]
    where FileManager.default.fileExists(atPath: path("s1.sqlite\(suffix)")) {
      try move("s1.sqlite\(suffix)", to: "far/old/a.b.sqlite\(suffix)")
    }
    try folder.plan("--staged")
    return try again()
  }

  private func again(_ options: [String] = []) throws -> ProcessRun {
    try folder.program(["fleet", "run", "-q"] + Self.staging + options)
  }

  private func calls() throws -> [String] {
    try String(contentsOfFile: path("calls"), encoding: .utf8).split(separator: "\n").map(
      String.init
    )
  }

  /// Runs statements on the store in a process that ends without closing it.
  private func leave(_ statements: String...) throws {
    let lines = statements.map { "c.execute(\"\"\"\($0)\"\"\")" }.joined(separator: "\n")
    let script =
      "import os, sqlite3\nc = sqlite3.connect('s1.sqlite', isolation_level=None)\n\(lines)\nos._exit(0)\n"
    let run = try ProcessRun(
      "/usr/bin/env",
      ["python3", "-c", script],
      in: folder.program.directory.path
    )
    try #require(run.status == 0, "\(run.errors)")
  }

  private static let inserting =
    "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (9, 1, 1, 'in the log')"

  @Test func `rows of a log arrive`() throws {
    try leave("PRAGMA journal_mode = wal", Self.inserting)
    try #require(FileManager.default.fileExists(atPath: path("s1.sqlite-wal")))
    let single = try folder.single()
    let run = try run()
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("far/new/c.sqlite"))) == single)
    let titles = try StoreFile(path("far/new/c.sqlite")).rows(
      "SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 9"
    )
    #expect(titles == [["in the log"]])
    #expect(
      try calls() == [
        "in new/c.sqlite.receipt.json", "in old/a.b.sqlite", "in old/a.b.sqlite-wal",
        "out new/c.sqlite",
        "out new/c.sqlite.receipt.json",
      ]
    )
  }

  @Test func `a transaction that a crash cut off is rolled back`() throws {
    try leave(
      "PRAGMA cache_size = 1",
      "BEGIN",
      "CREATE TABLE filler (x)",
      "INSERT INTO filler SELECT randomblob(3000) FROM ZNOTE a, ZNOTE b, ZNOTE c, ZNOTE d",
      "DELETE FROM ZNOTE"
    )
    try #require(FileManager.default.fileExists(atPath: path("s1.sqlite-journal")))
    let single = try folder.single()
    let run = try run()
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("far/new/c.sqlite"))) == single)
    #expect(try StoreFile(path("far/new/c.sqlite")).rows("SELECT count(*) FROM ZNOTE") == [[3]])
  }

  /// Makes the model one with external values, and the store one of three rows, two of which share a file.
  private func keepValuesOutside() throws {
    let attributes: [AttributeDescription] = [.optional("title"), .external("image")]
    let models = [
      "v1": try ManagedObjectModel.of(EntityDescription("Note", attributes)),
      "v2": try .of(EntityDescription("Note", attributes + [.optional("stars", .integer16)])),
    ]
    for (name, model) in models {
      try FileManager.default.removeItem(atPath: path("models/\(name).mom"))
      try TestStore.write(model, to: path("models/\(name).mom"))
    }
    try FileManager.default.removeItem(atPath: path("s1.sqlite"))
    var store = TestStore(
      try #require(models["v1"]),
      TestObject("Note", 1),
      TestObject("Note", 2),
      TestObject("Note", 3)
    )
    store.sql = [
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(Self.value)' || x'00' AS BLOB) WHERE Z_PK < 3"
    ]
    _ = try store.write(to: path("s1.sqlite"))
  }

  @Test func `external values go before the store`() throws {
    try keepValuesOutside()
    try folder.program.write("a picture", to: "\(Self.supportName)/\(Self.value)")
    // The store alone is the same without the file.
    let single = try folder.single("--max-loss", "2")
    let run = try run()
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("far/new/c.sqlite"))) == single)
    let made = "far/new/.c_SUPPORT/_EXTERNAL_DATA/\(Self.value)"
    #expect(try String(contentsOfFile: path(made), encoding: .utf8) == "a picture")
    #expect(
      try calls() == [
        "in new/c.sqlite.receipt.json", "in old/a.b.sqlite", "in old/a.b.sqlite-journal",
        "in old/.a.b_SUPPORT/_EXTERNAL_DATA/\(Self.value)",
        "out new/.c_SUPPORT/_EXTERNAL_DATA/\(Self.value)", "out new/c.sqlite",
        "out new/c.sqlite.receipt.json",
      ]
    )
    #expect(try folder.program.names(in: "scratch").isEmpty)
  }

  @Test func `a reference without its file stays one, as in a direct run, and is counted`() throws {
    try keepValuesOutside()
    let single = try folder.single("--max-loss", "2")
    #expect(try run().status == 3)
    let outcomes = try folder.outcomes()
    #expect(outcomes == ["s1 quarantined 65"])
    let run = try again(["--max-loss", "2"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("far/new/c.sqlite"))) == single)
    #expect(try folder.results().last?["missingFiles"] as? Int == 2)
  }

  @Test func `an attempt that could not fetch a value is followed by one that goes on`() throws {
    try keepValuesOutside()
    try folder.program.write("a picture", to: "\(Self.supportName)/\(Self.value)")
    try move("s1.sqlite", to: "far/old/a.b.sqlite")
    try folder.plan("--staged")
    var words = Self.staging
    words[1] = "case $FROM in *SUPPORT*) exit 1; esac; \(Self.fetching)"
    #expect(try folder.program(["fleet", "run", "-q"] + words).status == 3)
    #expect(!FileManager.default.fileExists(atPath: path("far/new/c.sqlite")))
    #expect(try again().status == 0)
    #expect(try folder.results().last?["missingFiles"] == nil)
    #expect(
      FileManager.default.fileExists(
        atPath: path("far/new/.c_SUPPORT/_EXTERNAL_DATA/\(Self.value)")
      )
    )
  }

  @Test func `a value under a name that is taken ends the attempt before the store is put`() throws
  {
    try keepValuesOutside()
    try folder.program.write("a picture", to: "\(Self.supportName)/\(Self.value)")
    try folder.program.write("another", to: "far/new/.c_SUPPORT/_EXTERNAL_DATA/\(Self.value)")
    let run = try run()
    #expect(run.status == 3, "\(run.errors)")
    #expect(try folder.outcomes() == ["s1 failed 73"])
    #expect(!FileManager.default.fileExists(atPath: path("far/new/c.sqlite")))
  }

  @Test func `the part of a value that a cut off line has left is not taken for it`() throws {
    try keepValuesOutside()
    try folder.program.write("a picture", to: "\(Self.supportName)/\(Self.value)")
    try move("s1.sqlite", to: "far/old/a.b.sqlite")
    try folder.plan("--staged")
    var words = Self.staging
    for ending in [#"echo part > "$TO"; exit 1"#, "exit 0"] {
      words[1] = "case $FROM in *SUPPORT*) \(ending);; esac; \(Self.fetching)"
      #expect(try folder.program(["fleet", "run", "-q"] + words).status == 3)
      #expect(!FileManager.default.fileExists(atPath: path("far/new/c.sqlite")))
    }
  }

  private static let quarantine = ["fleet", "run", "--on-error", "quarantine"]

  /// Plans a version whose notes need a title, which one does not have.
  private func planRequiringTitles() throws {
    try TestStore.write(
      .of(EntityDescription("Note", [.required("title")])),
      to: path("models/v3.mom")
    )
    try folder.program.write(
      """
      { "bulkmigrate": "mapping/1", "source": { "model": "../models/v1.mom" },
        "destination": { "model": "../models/v3.mom" }, "entityMappings": [
        { "source": "Note", "destination": "Note", "attributes": { "title": "$source.title" } } ] }
      """,
      to: "mappings/all.json"
    )
    let planning =
      FleetFolder.planning.map { $0 == "v2" ? "v3" : $0 } + ["--mappings", "mappings", "--staged"]
    let planned = try folder.program(planning)
    try #require(planned.status == 0, "\(planned.errors)")
  }

  @Test func `what is left out goes before the store, and is found again`() throws {
    try move("s1.sqlite", to: "far/old/a.b.sqlite")
    try planRequiringTitles()
    let run = try folder.program(Self.quarantine + Self.staging)
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.output == "1 store: 1 done; 1 left objects out\n")
    let state = "new/c.sqlite.bulkmigrate"
    #expect(
      try calls() == [
        "in new/c.sqlite.receipt.json", "in old/a.b.sqlite", "in old/a.b.sqlite-journal",
        "out \(state)/.bulkmigrate", "out \(state)/rejects/Note.jsonl",
        "out \(state)/rejects/plan.json", "out \(state)/rejects/summary.json",
        "out new/c.sqlite", "out new/c.sqlite.receipt.json",
      ]
    )
    let list = try folder.program("rejects", "list", "--state-dir", "far/\(state)")
    #expect(list.output.hasSuffix("far:new/c.sqlite: 1 left out\n"), "\(list.output)")
    let again = try folder.program(Self.quarantine + Self.staging)
    #expect(again.status == 3, "\(again.errors)")
    #expect(again.output == "1 store: 1 already; 1 left objects out\n")
    #expect(try folder.results().last?["rejected"] as? Int == 1)
    try FileManager.default.removeItem(atPath: path("far/\(state)/rejects"))
    let corrected = try folder.program(Self.quarantine + Self.staging)
    #expect(corrected.status == 0, "\(corrected.errors)")
    #expect(corrected.output == "1 store: 1 already\n")
  }

  @Test func `another attempt, elsewhere, finds the files that one has put before it was killed`()
    throws
  {
    try move("s1.sqlite", to: "far/old/a.b.sqlite")
    try planRequiringTitles()
    var words = Self.staging
    words[3] = "case $TO in *c.sqlite) exit 1; esac; \(Self.putting)"
    words[5] = "other"
    #expect(try folder.program(Self.quarantine + words).status == 3)
    #expect(!FileManager.default.fileExists(atPath: path("far/new/c.sqlite")))
    let again = try folder.program(Self.quarantine + Self.staging)
    #expect(again.output == "1 store: 1 done; 1 left objects out\n", "\(again.errors)")
  }

  /// The names are paths here, where a replay finds source and destination.
  @Test func `what is left out can be brought in where the store was put`() throws {
    try folder.program.write(
      "{\"id\":\"s1\",\"source\":\"\(path("s1.sqlite"))\",\"destination\":\"\(path("new/s1.sqlite"))\"}\n",
      to: "stores.jsonl"
    )
    try planRequiringTitles()
    var words = Self.staging
    words[1] = #"[ -e "$FROM" ] || exit 66; cp "$FROM" "$TO""#
    words[3] = #"mkdir -p "$(dirname "$TO")"; [ -e "$TO" ] && exit 73; cp "$FROM" "$TO""#
    let run = try folder.program(Self.quarantine + words)
    #expect(run.status == 3, "\(run.errors)")
    let file = path("new/s1.sqlite.bulkmigrate/rejects/Note.jsonl")
    try String(contentsOfFile: file, encoding: .utf8)
      .replacingOccurrences(of: #""title": null"#, with: #""title": "b""#)
      .write(toFile: file, atomically: true, encoding: .utf8)
    let replay = try folder.program(
      "rejects",
      "replay",
      "-q",
      "--state-dir",
      "new/s1.sqlite.bulkmigrate"
    )
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(
      try StoreFile(path("new/s1.sqlite")).rows(of: "ZNOTE", "ZTITLE") == [["a"], ["b"], ["b"]]
    )
    #expect(try folder.program(Self.quarantine + words).output == "1 store: 1 already\n")
  }

  @Test func `a line that says that it fetched and made no file ends the attempt`() throws {
    var words = Self.staging
    words[1] = "case $FROM in *.json) exit 66; esac; exit 0"
    try folder.plan("--staged")
    let run = try folder.program(["fleet", "run"] + words)
    #expect(try folder.outcomes().last == "s1 failed 74")
    let reason = "to fetch far:old/a.b.sqlite ended with 0 and made no file"
    #expect(run.errors.contains(reason), "\(run.errors)")
  }

  @Test func `a line that does not say that a log is absent ends the attempt`() throws {
    var words = Self.staging
    words[1] = #"case $FROM in *.json) exit 66; esac; cp "far/${FROM#far:}" "$TO""#
    try move("s1.sqlite", to: "far/old/a.b.sqlite")
    try folder.plan("--staged")
    let run = try folder.program(["fleet", "run"] + words)
    #expect(run.status == 3)
    #expect(try folder.outcomes().last == "s1 failed 74", "\(run.output)\(run.errors)")
    #expect(
      run.errors.contains("to fetch far:old/a.b.sqlite-journal ended with 1"),
      "\(run.output)"
    )
    #expect(
      run.errors.contains("it must end with 66 where there is nothing of that name")
    )
  }
}
#endif
