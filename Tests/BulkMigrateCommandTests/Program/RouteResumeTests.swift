import BulkTestSupport
import Testing

/// A route of two mappings, between which lies a store: notes without a title are left out by the first
/// leg, notes without a code by the second.
@Suite(
  "Routes that are interrupted, and objects that several legs leave out",
  .tags(.promise17),
  .program
)
struct RouteResumeTests {
  private let program: Program
  private static let again = ["run", "-q", "--resume-if-started", "--on-error", "quarantine"]
  private static let batches = ["BULKMIGRATE_BATCH_ROWS": "100"]
  private static let state = "Big.sqlite.bulkmigrate"
  private static let lines = "\(state)/rejects/Note.jsonl"

  init() throws {
    program = try Program()
    let versions: [[AttributeDescription]] = [
      [.optional("title"), .optional("code")],
      [.required("title"), .optional("code")],
      [.required("title"), .required("code"), .optional("rank", .integer64)],
    ]
    _ = try program.directory.folder("App.momd")
    for (index, attributes) in versions.enumerated() {
      try program.write(
        .of(EntityDescription("Note", attributes)),
        to: "App.momd/v\(index + 1).mom"
      )
    }
    var store = TestStore(try .of(EntityDescription("Note", versions[0])))
    store.objects = (1...210).map {
      TestObject(
        "Note",
        $0,
        [
          "title": $0 % 50 == 0 ? .null : .string("note \($0)"),
          "code": $0 % 70 == 0 ? .null : .string("code \($0)"),
        ]
      )
    }
    _ = try store.write(to: program.directory.path("Source.sqlite"))
    try mapping(from: 1)
    try mapping(from: 2)
    try plan("--no-fuse")
  }

  /// Writes the mapping to the version after one.
  private func mapping(
    from version: Int,
    title: String = "$source.title",
    code: String = "$source.code"
  ) throws {
    try program.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "App.momd/v\(version).mom" },
        "destination": { "model": "App.momd/v\(version + 1).mom" },
        "entityMappings": [ { "source": "Note", "destination": "Note",
          "attributes": { "title": "\(title)", "code": "\(code)" } } ] }
      """,
      to: "v\(version)-to-v\(version + 1).json"
    )
  }

  private func plan(_ words: String...) throws {
    try program(
      ["plan", "-q", "--source", "Source.sqlite", "--destination", "Big.sqlite"]
        + ["--models", "App.momd", "--to", "v3", "--mappings", "."] + words
    ).ending(0)
  }

  private func run(_ failpoint: String? = nil, _ words: String...) throws -> ProcessRun {
    var environment = Self.batches
    environment["BULKMIGRATE_FAILPOINT"] = failpoint
    return try program(Self.again + words, environment: environment)
  }

  private func lineCount() throws -> Int {
    try program.text(of: Self.lines).split(separator: "\n").count
  }

  /// The destination, what was left out, and the names in the state directory; all are removed.
  private func made() throws -> [Data] {
    defer { program.remove("Big.sqlite", Self.state) }
    let names = try program.names(in: Self.state).joined(separator: " ")
    return try program.bytes(of: "Big.sqlite", Self.lines, "\(Self.state)/rejects/summary.json")
      + [Data(names.utf8)]
  }

  @Test(arguments: ["--no-fuse", "-q"])
  func `after a kill behind any durable step the same comes out`(word: String) throws {
    if word == "--no-fuse" { try plan(word) } else { try plan() }
    let first = try program.killBehindEachStep(of: Self.again, Self.batches, endingWith: 3) {
      try made()
    }
    // Attempts that have no time at all come to the end together.
    let codes = try Slices.codes { try run(nil, "--max-duration", "0s") }
    #expect(codes.count > 3)
    #expect(codes.last == 3, "\(codes)")
    #expect(try made() == first)
  }

  @Test func `each leg tells what it left out, and a verification knows of it`() throws {
    #expect(try program(Self.again).status == 3)
    let lines = try program.text(of: Self.lines).split(separator: "\n")
    #expect(lines.count == 4 + 3)
    #expect(
      lines[0] == #"""
        {"entity": "Note", "key": 50, "uri": "x-coredata://\#(TestStore.uuid)/Note/p50", \#
        "mapping": "NoteToNote", "reasons": [{"object": "Note 50", "property": "title", \#
        "rule": "required", "value": null}], "values": {"code": "code 50", "title": null}}
        """#
    )
    #expect(
      lines[4] == #"""
        {"entity": "Note", "key": 70, "leg": 2, "mapping": "NoteToNote", "reasons": \#
        [{"object": "Note 70", "property": "code", "rule": "required", "value": null}]}
        """#
    )
    let store = StoreFile(program.directory.path("Big.sqlite"))
    #expect(try store.rows("SELECT count(*) FROM ZNOTE") == [[203]])
    #expect(try store.integrity() == [["ok"]])
    let verified = try program("verify", "--level", "full", ending: 0)
    let count = "nothing differs; 7 were left out by the migration"
    #expect(verified.output.contains("full, 203 rows compared, \(count)"))
    #expect(try program("verify").output.contains(count))
    #expect(try program("status").output.contains("left out     7, see "))
  }

  @Test func `a route that is resumed reports all its steps, and removes the store between them`()
    throws
  {
    #expect(try run("leg:1").status == -9)
    let names = try program.names(in: Self.state)
    #expect(names.contains { $0.hasPrefix("step-1-") && $0.hasSuffix(".sqlite") })
    let status = try program("status").output
    #expect(status.contains("rows         206 of 420 written"), "\(status)")
    let resumed = try program("resume", "-v", "--report", "page.html", ending: 3)
    let lines = resumed.errors.split(separator: "\n").map(String.init)
    let table = try #require(lines.firstIndex { $0.contains("ENTITY") }, "\(resumed.errors)")
    #expect(lines[table] == "  STEP  ENTITY  READ  WRITTEN  LEFT OUT  LOST")
    #expect(lines[table + 1] == "  1     Note     210      206         4")
    #expect(lines[table + 2] == "  2     Note     206      203         3")
    let page = try program.text(of: "page.html")
    #expect(page.contains("206") && page.contains("203"))
    #expect(try !program.names(in: Self.state).contains { $0.hasPrefix("step-") })
  }

  /// Lines of the second leg, whose source is gone: one is lost, two have changed places, one has another reason.
  @Test(arguments: ["6d", "5{h;d};6{G}", "7s/required/optional/"])
  func `changed lines of a leg are found by a resumed run and by a replay`(edit: String) throws {
    #expect(try run("leg:1").status == -9)
    #expect(
      try program.shell("sed -i 's/code 50/code 51/' \(Self.state)/step-1-*/rejects/Note.jsonl")
        .status == 0
    )
    let resumed = try run().ending(65)
    #expect(
      resumed.errors.contains("Note.jsonl, the list of what a leg has left out,"),
      "\(resumed.errors)"
    )
    #expect(try run().status == 3)
    #expect(try program.shell("sed -i '\(edit)' \(Self.lines)").status == 0)
    let before = try program.directory.bytes()
    let replayed = try program("rejects", "replay", ending: 65)
    #expect(
      replayed.errors.contains("are not those of the objects that were left out"),
      "\(replayed.errors)"
    )
    #expect(try program.directory.bytes() == before)
  }

  /// The checkpoint after a leg may be lost.
  @Test(arguments: [("published:0", "true"), ("leg:1", "rm \(state)/checkpoint-1")])
  func `a leg keeps to its policy, and another one is refused and not remembered`(
    failpoint: String,
    damage: String
  ) throws {
    #expect(try run(failpoint).status == -9)
    #expect(try program.shell(damage).status == 0)
    try program("resume", "-q", "--on-error", "stop", ending: 64)
    try program("resume", "-q", ending: 3)
    #expect(try lineCount() == 7)
  }

  @Test(arguments: [
    "rm \(state)/step-1-*.sqlite",
    "for f in \(state)/step-1-*/rejects/summary.json; do echo 1 > $f; done",
  ])
  func `what is lost of a leg is named, and a restart leads on`(damage: String) throws {
    #expect(try run("leg:1").status == -9)
    #expect(try program.shell(damage).status == 0)
    let resumed = try program("resume", "-q", ending: 65)
    #expect(resumed.errors.contains("cannot be read; start over with"), "\(resumed.errors)")
    #expect(try run().status == 3)
  }

  @Test func `a source that is away for a while takes nothing of the state with it`() throws {
    #expect(try run("leg:1").status == -9)
    #expect(try program.shell("mv Source.sqlite away").status == 0)
    try program("resume", "-q").ending(66)
    #expect(try program.shell("mv away Source.sqlite").status == 0)
    let resumed = try program("resume", "-v", ending: 3)
    #expect(resumed.errors.contains("  1     Note     210      206         4"), "\(resumed.errors)")
    #expect(try lineCount() == 7)
  }

  @Test func `the limit is for all legs together`() throws {
    let refused = try run(nil, "--max-rejects", "6").ending(1)
    #expect(
      refused.errors.contains(
        "7 of 210 objects would be left out, more than --max-rejects 6 allows"
      ),
      "\(refused.errors)"
    )
    #expect(try run(nil, "--max-rejects", "7").status == 3)
  }

  @Test func `a replay brings in what both legs left out`() throws {
    #expect(try run().status == 3)
    try mapping(from: 1, title: "TERNARY($source.title == nil, 'none', $source.title)")
    #expect(try program("rejects", "replay").status == 65)
    try mapping(from: 2, code: "TERNARY($source.code == nil, 'none', $source.code)")
    try program("rejects", "replay", ending: 0)
    let store = StoreFile(program.directory.path("Big.sqlite"))
    #expect(
      try store.rows(
        "SELECT count(*), sum(ZTITLE = 'none'), sum(ZCODE = 'none') FROM ZNOTE"
      ) == [[210, 4, 3]]
    )
  }

  @Test func `a source that changes after the first step is refused`() throws {
    #expect(try run("leg:1").status == -9)
    try StoreFile(program.directory.path("Source.sqlite"))
      .execute("UPDATE ZNOTE SET ZTITLE = 'other' WHERE Z_PK = 1")
    let resumed = try program("resume", "-q", ending: 5)
    #expect(resumed.errors.hasSuffix("Source.sqlite has changed\n"), "\(resumed.errors)")
  }

  /// A route that is shorter than a batch keeps nothing but its last leg.
  @Test(arguments: [batches, [:]], [["resume", "-q"], again])
  func `an attempt that was overtaken in another step is fenced off`(
    environment: [String: String],
    second: [String]
  ) throws {
    let first = try program.start(Self.again, standingAt: "leg:1", environment: environment)
    program.remove("\(Self.state)/lock")
    #expect(try program(second, environment: environment).status == 3)
    #expect(first.goOn() == 9, "\(first.errors)")
    #expect(try lineCount() == 7)
  }

  /// Both legs read 210 and 206 objects, and a kill after the first leaves the second.
  @Test func `an attempt counts the rows that it wrote, of all legs`() throws {
    func counts(_ words: String...) throws -> [Int?] {
      let run = try program(words + ["--on-error", "quarantine", "--json", "-q"])
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      )
      return ["rows", "rowsOfAttempt", "resumedAtRow"].map { record[$0] as? Int }
    }
    #expect(try counts("run") == [203, 409, nil])
    program.remove("Big.sqlite", Self.state)
    #expect(try run("leg:1").status == -9)
    #expect(try counts("resume") == [203, 203, 206])
  }
}
