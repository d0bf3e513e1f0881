import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// Notes without a title are left out by the first leg, notes without a code by the second.
@Suite(
  "Objects that several legs leave out",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct RouteQuarantineTests {
  private let program: Program
  private static let environment = ["BULKMIGRATE_BATCH_ROWS": "100"]
  private static let folder = "Big.sqlite.bulkmigrate/rejects"

  init() throws {
    program = try Program()
    let versions: [[AttributeDescription]] = [
      [.optional("title"), .optional("code")],
      [.required("title"), .optional("code")],
      [.required("title"), .required("code"), .optional("rank", .integer64)],
    ]
    _ = try program.directory.folder("App.momd")
    for (index, attributes) in versions.enumerated() {
      try TestStore.write(
        .of(EntityDescription("Note", attributes)),
        to: program.directory.path("App.momd/v\(index + 1).mom")
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
    try mapping(from: 1, "$source.title")
    try mapping(from: 2, "$source.title")
    let run = try program(
      ["plan", "-q", "--source", "Source.sqlite", "--destination", "Big.sqlite"]
        + ["--models", "App.momd", "--to", "v3", "--mappings", ".", "--no-fuse"]
    )
    try #require(run.status == 0, "\(run.errors)")
  }

  /// Writes the mapping to the version after one.
  private func mapping(from version: Int, _ title: String) throws {
    try program.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "App.momd/v\(version).mom" },
        "destination": { "model": "App.momd/v\(version + 1).mom" },
        "entityMappings": [ { "source": "Note", "destination": "Note",
          "attributes": { "title": "\(title)", "code": "$source.code" } } ] }
      """,
      to: "v\(version)-to-v\(version + 1).json"
    )
  }

  private func run(_ failpoint: String? = nil, _ words: String...) throws -> ProcessRun {
    var environment = Self.environment
    environment["BULKMIGRATE_FAILPOINT"] = failpoint
    return try program(
      ["run", "-q", "--resume-if-started", "--on-error", "quarantine"] + words,
      environment: environment
    )
  }

  private func lines() throws -> [String] {
    try String(
      contentsOfFile: program.directory.path("\(Self.folder)/Note.jsonl"),
      encoding: .utf8
    )
    .split(separator: "\n").map(String.init)
  }

  /// The bytes of the destination and of what was left out; both are removed.
  private func made() throws -> [Data] {
    let files = try ["Big.sqlite", "\(Self.folder)/Note.jsonl", "\(Self.folder)/summary.json"]
      .map { try Data(contentsOf: URL(fileURLWithPath: program.directory.path($0))) }
    for name in ["Big.sqlite", "Big.sqlite.bulkmigrate"] {
      try FileManager.default.removeItem(atPath: program.directory.path(name))
    }
    return files
  }

  @Test func `each leg tells what it left out, and a verification knows of it`() throws {
    let made = try run()
    #expect(made.status == 3, "\(made.errors)")
    let lines = try lines()
    #expect(lines.count == 4 + 3)
    #expect(
      lines[0]
        == #"{"entity": "Note", "key": 50, "uri": "x-coredata://\#(TestStore.uuid)/Note/p50", "#
        + #""mapping": "NoteToNote", "reasons": [{"object": "Note 50", "property": "title", "#
        + #""rule": "required", "value": null}], "values": {"code": "code 50", "title": null}}"#
    )
    #expect(
      lines[4]
        == #"{"entity": "Note", "key": 70, "leg": 2, "mapping": "NoteToNote", "reasons": "#
        + #"[{"object": "Note 70", "property": "code", "rule": "required", "value": null}]}"#
    )
    let store = StoreFile(program.directory.path("Big.sqlite"))
    #expect(try store.rows("SELECT count(*) FROM ZNOTE") == [[203]])
    #expect(try store.integrity() == [["ok"]])
    let verified = try program("verify", "--level", "full")
    #expect(verified.status == 0, "\(verified.errors)")
    let count = "; 7 were left out of it by the migration"
    #expect(verified.output.contains("full, 203 rows compared, nothing differs" + count))
    #expect(try program("verify").output.contains("nothing differs" + count))
    #expect(try program("status").output.contains("left out     7, see "))
  }

  @Test func `after a kill behind any durable step each is left out once`() throws {
    let first = try run("count")
    #expect(first.status == 3, "\(first.errors)")
    let steps = try #require(
      first.errors.split(separator: "\n").last.flatMap { Int($0.dropFirst("steps: ".count)) }
    )
    #expect(steps > 20)
    let expected = try made()
    for step in 1...steps {
      #expect(try run("step:\(step)").status == -9, "step \(step)")
      let rest = try run()
      #expect(rest.status == 3, "step \(step): \(rest.errors)")
      #expect(try made() == expected, "step \(step)")
    }
  }

  /// Lines of the second leg, whose source is gone: one is lost, two have changed places, one has another reason.
  @Test(arguments: ["6d", "5{h;d};6{G}", "7s/required/optional/"])
  func `changed lines of a leg are found by a resumed run and by a replay`(edit: String) throws {
    #expect(try run("leg:1").status == -9)
    let steps = try program.shell("ls -d Big.sqlite.bulkmigrate/step-1-*/rejects/Note.jsonl").output
    #expect(try program.shell("sed -i 's/code 50/code 51/' \(steps.dropLast())").status == 0)
    let resumed = try run()
    #expect(resumed.status == 65, "\(resumed.errors)")
    #expect(
      resumed.errors.contains("Note.jsonl, the list of what a leg has left out,"),
      "\(resumed.errors)"
    )
    #expect(try run().status == 3)

    let file = "\(Self.folder)/Note.jsonl"
    #expect(try program.shell("sed -i '\(edit)' \(file)").status == 0)
    let before = try program.directory.bytes()
    let replayed = try program("rejects", "replay")
    #expect(replayed.status == 65)
    #expect(
      replayed.errors.contains("are not those of the objects that were left out"),
      "\(replayed.errors)"
    )
    #expect(try program.directory.bytes() == before)
  }

  @Test func `a policy that a leg refuses is not remembered`() throws {
    #expect(try run("published:0").status == -9)
    let other = try program("resume", "-q", "--on-error", "stop")
    #expect(other.status == 64, "\(other.errors)")
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 3, "\(resumed.errors)")
    #expect(try lines().count == 7)
  }

  @Test func `a leg that is done keeps to its policy though the checkpoint after it is lost`()
    throws
  {
    #expect(try run("leg:1").status == -9)
    #expect(try program.shell("rm Big.sqlite.bulkmigrate/checkpoint-1").status == 0)
    let other = try program("resume", "-q", "--on-error", "stop")
    #expect(other.status == 64, "\(other.errors)")
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 3, "\(resumed.errors)")
    #expect(try lines().count == 7)
  }

  @Test(arguments: [
    "rm Big.sqlite.bulkmigrate/step-1-*.sqlite",
    "for f in Big.*/step-1-*/rejects/summary.json; do echo 1 > $f; done",
  ])
  func `what is lost of a leg is named, and a restart leads on`(damage: String) throws {
    #expect(try run("leg:1").status == -9)
    _ = try program.shell(damage)
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 65, "\(resumed.errors)")
    #expect(resumed.errors.contains("cannot be read; start over with"), "\(resumed.errors)")
    #expect(try run().status == 3)
  }

  @Test func `the limit is for all legs together`() throws {
    let refused = try run(nil, "--max-rejects", "6")
    #expect(refused.status == 1)
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
    try mapping(from: 1, "TERNARY($source.title == nil, 'none', $source.title)")
    let refused = try program("rejects", "replay")
    #expect(refused.status == 65)
    try program.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "App.momd/v2.mom" }, "destination": { "model": "App.momd/v3.mom" },
        "entityMappings": [ { "source": "Note", "destination": "Note", "attributes": {
          "title": "$source.title", "code": "TERNARY($source.code == nil, 'none', $source.code)" } } ] }
      """,
      to: "v2-to-v3.json"
    )
    let replayed = try program("rejects", "replay")
    #expect(replayed.status == 0, "\(replayed.errors)")
    let store = StoreFile(program.directory.path("Big.sqlite"))
    #expect(
      try store.rows(
        "SELECT count(*), sum(ZTITLE = 'none'), sum(ZCODE = 'none') FROM ZNOTE"
      ) == [[210, 4, 3]]
    )
  }
}
