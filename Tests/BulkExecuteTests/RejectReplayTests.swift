import BulkTestSupport
import Testing

@Suite("Objects that are brought in after they were left out", .tags(.promise23))
struct RejectReplayTests {
  private let planned: Planned
  private let destination: StoreFile

  /// Three notes, of which the second has no title and is left out.
  init() throws {
    let store = TestStore(
      try .of(
        EntityDescription(
          "Note",
          [.optional("title"), .optional("rank", .integer64), .optional("unread")]
        )
      ),
      .each(
        "Note",
        ["title": "a", "rank": 1, "unread": "lost"],
        ["rank": 2],
        ["title": "c", "rank": 3]
      )
    )
    planned = try Planned(
      store,
      to: .of(EntityDescription("Note", [.required("title"), .optional("rank", .integer64)])),
      by: [try .of("Note", "Note", ["title": "$source.title", "rank": "$source.rank"])]
    )
    let record = try planned.run {
      $0.lossLimit = .all
      $0.rejects = RejectPolicy(.quarantine)
    }
    #expect(record.rejected == 1)
    destination = planned.made
  }

  private var file: String { planned.plan.destination.store + ".bulkmigrate/rejects/Note.jsonl" }

  private func correct(_ old: String, _ new: String, in path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains(old))
    try text.replacingOccurrences(of: old, with: new)
      .write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func replay() throws -> RejectReplay {
    try RejectReplay(of: planned.rejects, .inTestProcess)
  }

  @Test func `a value that was corrected in the file comes into the store, and the source stays`()
    throws
  {
    let source = try planned.directory.bytes()["source.sqlite"]
    try correct(#""title": null"#, #""title": "b""#, in: file)
    let replay = try replay()
    #expect(try replay.run().rows == 3)
    #expect(
      try destination.rows(of: "ZNOTE", "Z_PK", "ZTITLE", "ZRANK")
        == [[1, "a", 1], [2, "b", 2], [3, "c", 3]]
    )
    #expect(try planned.directory.bytes()["source.sqlite"] == source)
    #expect(try StoreFile(replay.kept).rows(of: "ZNOTE", "Z_PK") == [[1], [3]])
    // A verification has no other way to know the value.
    #expect(
      try state.filter { !$0.hasPrefix("replayed/") } == [".bulkmigrate", "replayed"]
    )
    #expect(try state.contains("replayed/Note.jsonl"))
  }

  private var state: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(
        atPath: planned.plan.destination.store + ".bulkmigrate"
      )
      .sorted()
    }
  }

  /// A pipe that nobody writes to would be read for ever.
  @Test(arguments: ["Note.jsonl", "summary.json"])
  func `a file that is a pipe is refused`(name: String) throws {
    let replay = try replay()
    let path = URL(fileURLWithPath: file).deletingLastPathComponent().path + "/" + name
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: MigrationError.self) { try replay.run() }
    if name == "summary.json" { #expect(throws: MigrationError.self) { try self.replay() } }
    #expect(try destination.rows(of: "ZNOTE", "Z_PK") == [[1], [3]])
  }

  @Test func `a mapping that was corrected brings them in`() throws {
    let path = planned.directory.path("all.json")
    try correct(
      #""$source.title""#,
      #""TERNARY($source.title == nil, \"none\", $source.title)""#,
      in: path
    )
    _ = try replay().run()
    #expect(try destination.rows(of: "ZNOTE", "ZTITLE") == [["a"], ["none"], ["c"]])
    #expect(
      try !planned.directory.contents().contains { $0.hasPrefix("destination.sqlite.bulkmigrate") }
    )
  }

  @Test func `what still fails changes nothing`() throws {
    let before = try planned.directory.bytes()
    let replay = try replay()
    let error = #expect(throws: MigrationError.self) { try replay.run() }
    guard case .invalidObjects(let summary)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let after = try planned.directory.bytes()
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(Set(after.keys).subtracting(before.keys).contains { summary.path.hasSuffix($0) })
  }

  @Test func `a destination that has changed is left alone`() throws {
    try correct(#""title": null"#, #""title": "b""#, in: file)
    try destination.execute("UPDATE ZNOTE SET ZRANK = 9 WHERE Z_PK = 1")
    let replay = try replay()
    #expect(failure { try replay.run() }.contains("has changed since objects were left out"))
    #expect(try destination.rows(of: "ZNOTE", "Z_PK", "ZRANK") == [[1, 9], [3, 3]])
  }

  @Test(
    arguments: [
      ("{", "["), (#""key": 2"#, #""key": "two""#), (#""title": null"#, #""title": [1]"#),
      (#""title": null"#, #""titel": "b""#),
      (#""title": null"#, #""title": 7"#), (#""rank": 2"#, #""rank": "two""#),
      (#""rank": 2"#, #""rank": {"date": 2}"#), (#""key": 2"#, #""key": 3"#),
      (#""entity": "Note""#, #""entity": "Folder""#),
      (#""values""#, #""relationships": {"owner": 1}, "values""#),
      (#""values""#, #""relationships": {"owner": "a"}, "values""#),
    ] as [(String, String)]
  )
  func `a file that makes no sense is refused`(old: String, new: String) throws {
    try correct(old, new, in: file)
    let replay = try replay()
    let text = failure { try replay.run() }
    #expect(text.contains("Note.jsonl"), "\(text)")
    #expect(text.hasSuffix("; nothing has changed"), "\(text)")
    #expect(try destination.rows(of: "ZNOTE", "Z_PK") == [[1], [3]])
  }

  @Test(arguments: ["count", "rows", "Note", "written"], [-1, .max] as [Int64])
  func `a summary with numbers that no store has is refused`(name: String, number: Int64) throws {
    let location = StateLocation(destination: planned.plan.destination.store, stateDirectory: nil)
    let path = try #require(try RejectFolder(location)).path + "/summary.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed = text.replacing(
      try Regex("\"\(name)\" : [0-9]+"),
      with: "\"\(name)\" : \(number)"
    )
    #expect(changed != text)
    try changed.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: MigrationError.self) { try RejectFolder(location) }
  }
}
