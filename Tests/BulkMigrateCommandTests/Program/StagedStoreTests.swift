import BulkTestSupport
import Testing

/// A store is more than its file: staging moves its log and its external values too.
@Suite(
  "Stores that are staged whole",
  .program,
  .enabled(if: Python.isPresent, "skips because there is no python3")
)
struct StagedStoreTests {
  private let folder: FleetFolder

  /// Lines that fetch from the folder `far`, which no direct run sees, and put there, noting every name.
  private static let fetching =
    #"echo "in ${FROM#far:}" >> calls; [ -e "far/${FROM#far:}" ] || exit 66; cp "far/${FROM#far:}" "$TO""#
  private static let putting = #"""
    to=${TO#far:}; echo "out $to" >> calls; mkdir -p "$(dirname "far/$to")"
    ln -T "$FROM" "far/$to" 2>/dev/null || { [ -e "far/$to" ] && exit 73; exit 74; }
    """#
  private static let value = "0B61C1D5-4D0C-4C9E-9E57-3D8E5B7E9A10"
  private static let kept = "far/old/.a.b_SUPPORT/_EXTERNAL_DATA/\(value)"
  private static let put = "far/new/.c_SUPPORT/_EXTERNAL_DATA/\(value)"

  init() throws {
    folder = try FleetFolder(stores: 1)
    try folder.program.write(
      #"{"id":"s1","source":"far:old/a.b.sqlite","destination":"far:new/c.sqlite"}"# + "\n",
      to: "stores.jsonl"
    )
    _ = try folder.program.directory.folder("far/old")
  }

  private func path(_ name: String) -> String { folder.program.directory.path(name) }

  private func bytes(_ name: String) -> Data? { FileManager.default.contents(atPath: path(name)) }

  private var made: Data? { bytes("far/new/c.sqlite") }

  /// Moves the store to where only the lines find it.
  private func stage() throws {
    for suffix in ["", "-wal", "-journal"]
    where FileManager.default.fileExists(atPath: path("s1.sqlite\(suffix)")) {
      try FileManager.default.moveItem(
        atPath: path("s1.sqlite\(suffix)"),
        toPath: path("far/old/a.b.sqlite\(suffix)")
      )
    }
    try folder.plan("--staged")
  }

  /// Lets the fleet migrate the store, by other lines where any are given.
  private func run(
    _ options: String...,
    fetching: String = Self.fetching,
    putting: String = Self.putting,
    scratch: String = "scratch"
  ) throws -> ProcessRun {
    let lines = ["--stage-in", fetching, "--stage-out", putting, "--scratch", scratch]
    return try folder.program(["fleet", "run"] + lines + options)
  }

  private func calls() throws -> [String] {
    String(decoding: try #require(bytes("calls")), as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  /// Runs statements on the store in a process that ends without closing it.
  private func leave(_ statements: String...) throws {
    let lines = statements.map { "c.execute(\"\"\"\($0)\"\"\")" }.joined(separator: "\n")
    let script =
      "import os, sqlite3\nc = sqlite3.connect('s1.sqlite', isolation_level=None)\n\(lines)\nos._exit(0)\n"
    try ProcessRun(
      "/usr/bin/env",
      ["python3", "-c", script],
      in: folder.program.directory.path
    ).ending(0)
  }

  @Test func `rows of a log arrive`() throws {
    try leave(
      "PRAGMA journal_mode = wal",
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (9, 1, 1, 'in the log')"
    )
    try #require(bytes("s1.sqlite-wal") != nil)
    let single = try folder.single()
    try stage()
    try run().ending(0)
    #expect(made == single)
    let titles = try StoreFile(path("far/new/c.sqlite")).rows(
      "SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 9"
    )
    #expect(titles == [["in the log"]])
    #expect(
      try calls() == [
        "in new/c.sqlite.receipt.json", "in old/a.b.sqlite", "in old/a.b.sqlite-wal",
        "out new/c.sqlite", "out new/c.sqlite.receipt.json",
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
    try #require(bytes("s1.sqlite-journal") != nil)
    let single = try folder.single()
    try stage()
    try run().ending(0)
    #expect(made == single)
    #expect(try StoreFile(path("far/new/c.sqlite")).rows("SELECT count(*) FROM ZNOTE") == [[3]])
  }

  /// Makes the model one with external values, and the store one of three rows, two of which share a file; returns what
  /// a direct run makes of it, which is the same without the file.
  private func keepValuesOutside() throws -> Data {
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
      .each("Note", [:], [:], [:])
    )
    store.sql = [
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(Self.value)' || x'00' AS BLOB) WHERE Z_PK < 3"
    ]
    _ = try store.write(to: path("s1.sqlite"))
    let single = try folder.single("--max-loss", "2")
    try stage()
    return single
  }

  @Test func `external values go before the store, and never from a part that a line has left`()
    throws
  {
    let single = try keepValuesOutside()
    try folder.program.write("a picture", to: Self.kept)
    for ending in [#"echo part > "$TO"; exit 1"#, "exit 0"] {
      let fetching = "case $FROM in *SUPPORT*) \(ending);; esac; \(Self.fetching)"
      #expect(try run(fetching: fetching).status == 3)
      #expect(made == nil)
    }
    try FileManager.default.removeItem(atPath: path("calls"))
    try run().ending(0)
    #expect(made == single)
    #expect(bytes(Self.put) == Data("a picture".utf8))
    #expect(try folder.results().last?["missingFiles"] == nil)
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
    let single = try keepValuesOutside()
    #expect(try run().status == 3)
    #expect(try folder.outcomes() == ["s1 quarantined 65"])
    #expect(try folder.program.names(in: "scratch").isEmpty)
    try run("--max-loss", "2").ending(0)
    #expect(made == single)
    #expect(try folder.results().last?["missingFiles"] as? Int == 2)
  }

  @Test func `a value under a name that is taken ends the attempt before the store is put`() throws
  {
    _ = try keepValuesOutside()
    try folder.program.write("a picture", to: Self.kept)
    try folder.program.write("another", to: Self.put)
    #expect(try run().status == 3)
    #expect(try folder.outcomes() == ["s1 failed 73"])
    #expect(made == nil)
  }

  @Test func `a store that has changed since an attempt failed is fetched again`() throws {
    try stage()
    let failing = "case $TO in *c.sqlite) exit 1; esac; \(Self.putting)"
    #expect(try run(putting: failing).status == 3)
    try StoreFile(path("far/old/a.b.sqlite")).execute(
      "UPDATE ZNOTE SET ZTITLE = 'new' WHERE Z_PK = 1"
    )
    let run = try run()
    #expect(run.output == "1 store: 1 done\n", "\(run.errors)")
    #expect(
      try StoreFile(path("far/new/c.sqlite")).rows("SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 1")
        == [["new"]]
    )
  }

  @Test func `what is left out goes before the store, and is found again`() throws {
    try stage()
    try folder.planRequiringTitles("--staged")
    // Another attempt, elsewhere, finds the files that one has put before it was killed.
    let failing = "case $TO in *c.sqlite) exit 1; esac; \(Self.putting)"
    #expect(try run("--on-error", "quarantine", putting: failing, scratch: "other").status == 3)
    #expect(made == nil)
    try FileManager.default.removeItem(atPath: path("calls"))
    let run = try run("--on-error", "quarantine").ending(3)
    #expect(run.output == "1 store: 1 done; 1 left objects out\n")
    let state = "new/c.sqlite.bulkmigrate"
    #expect(
      try calls() == [
        "in new/c.sqlite.receipt.json", "in old/a.b.sqlite", "in old/a.b.sqlite-journal",
        "out \(state)/.bulkmigrate", "out \(state)/rejects/Note.jsonl",
        "in \(state)/rejects/Note.jsonl", "out \(state)/rejects/plan.json",
        "in \(state)/rejects/plan.json", "out \(state)/rejects/summary.json",
        "in \(state)/rejects/summary.json", "out new/c.sqlite", "out new/c.sqlite.receipt.json",
      ]
    )
    let list = try folder.program("rejects", "list", "--state-dir", "far/\(state)")
    #expect(list.output.hasSuffix("far:new/c.sqlite: 1 left out\n"), "\(list.output)")
    let again = try self.run("--on-error", "quarantine").ending(3)
    #expect(again.output == "1 store: 1 already; 1 left objects out\n")
    #expect(try folder.results().last?["rejected"] as? Int == 1)
    try FileManager.default.removeItem(atPath: path("far/\(state)/rejects"))
    let corrected = try self.run("--on-error", "quarantine").ending(0)
    #expect(corrected.output == "1 store: 1 already\n")
  }

  /// The names are paths here, where a replay finds source and destination.
  @Test func `what is left out can be brought in where the store was put`() throws {
    try folder.program.write(
      "{\"id\":\"s1\",\"source\":\"\(path("s1.sqlite"))\",\"destination\":\"\(path("new/s1.sqlite"))\"}\n",
      to: "stores.jsonl"
    )
    try folder.planRequiringTitles("--staged")
    func attempt() throws -> ProcessRun {
      try run(
        "--on-error",
        "quarantine",
        fetching: #"[ -e "$FROM" ] || exit 66; cp "$FROM" "$TO""#,
        putting: #"mkdir -p "$(dirname "$TO")"; [ -e "$TO" ] && exit 73; cp "$FROM" "$TO""#
      )
    }
    try attempt().ending(3)
    let state = "new/s1.sqlite.bulkmigrate"
    try folder.program.correct(in: state, title: "b")
    try folder.program("rejects", "replay", "-q", "--state-dir", state, ending: 0)
    #expect(
      try StoreFile(path("new/s1.sqlite")).rows(of: "ZNOTE", "ZTITLE") == [["a"], ["b"], ["b"]]
    )
    #expect(try attempt().output == "1 store: 1 already\n")
  }

  @Test(arguments: [
    ("exit 0", "to fetch far:old/a.b.sqlite ended with 0 and made no file"),
    (
      #"cp "far/${FROM#far:}" "$TO""#,
      "to fetch far:old/a.b.sqlite-journal ended with 1; it must end with 66 where there is nothing"
    ),
  ])
  func `a line that does not say what it did ends the attempt`(line: String, reason: String) throws
  {
    try stage()
    let run = try run(fetching: "case $FROM in *.json) exit 66; esac; \(line)").ending(3)
    #expect(try folder.outcomes().last == "s1 failed 74")
    #expect(run.errors.contains(reason), "\(run.errors)")
  }
}
