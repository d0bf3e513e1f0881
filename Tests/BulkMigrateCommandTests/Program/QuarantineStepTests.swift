import BulkModel
import BulkTestSupport
import Foundation
import Testing

@Suite(
  "The durable steps of a migration that leaves objects out",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct QuarantineStepTests {
  private let program: Program
  private static let environment = [
    "BULKMIGRATE_BATCH_ROWS": "100", "BULKMIGRATE_ON_ERROR": "quarantine",
  ]

  /// Notes, of which some lack a title that the destination requires, and links that require a note.
  init() throws {
    program = try Program()
    func model(isRequired: Bool) throws -> ManagedObjectModel {
      var note = RelationshipDescription.toOne("note", "Note", inverse: "links")
      note.isOptional = false
      return try .of(
        EntityDescription(
          "Note",
          [isRequired ? .required("title") : .optional("title")],
          [.toMany("links", "Link", inverse: "note")]
        ),
        EntityDescription("Link", [.optional("target")], [note])
      )
    }
    var store = TestStore(try model(isRequired: false))
    store.objects = (1...120).map {
      TestObject("Note", $0, ["title": $0 % 10 == 3 ? .null : .string("note \($0)")])
    }
    store.objects += (1...120).map { TestObject("Link", $0, links: ["note": [121 - $0]]) }
    _ = try store.write(to: program.directory.path("Source.sqlite"))
    try TestStore.write(store.model, to: program.directory.path("old.mom"))
    try TestStore.write(model(isRequired: true), to: program.directory.path("new.mom"))
    try plan()
  }

  /// Plans the migration.
  ///
  /// - Parameter unique: What the entity mapping of notes says of equal ones.
  /// - Throws: Any error of running the program.
  private func plan(_ unique: String = "") throws {
    let link =
      "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\", "
    try program.write(
      """
      { "bulkmigrate": "mapping/1", "infer": "none", "entityMappings": [
        { "source": "Note", "destination": "Note", \(unique) "attributes": { "title": "$source.title" } },
        { "source": "Link", "destination": "Link", "filter": "note != nil",
          "attributes": { "target": "$source.target" },
          "relationships": { "note": "\(link)\\\"NoteToNote\\\", $source.note)" } } ] }
      """,
      to: "all.json"
    )
    let run = try program(
      "plan",
      "-q",
      "--source",
      "Source.sqlite",
      "--source-model",
      "old.mom",
      "--destination",
      "Big.sqlite",
      "--destination-model",
      "new.mom",
      "--mapping",
      "all.json"
    )
    try #require(run.status == 0, "\(run.errors)")
  }

  private func run(_ failpoint: String? = nil, _ words: String...) throws -> ProcessRun {
    var environment = Self.environment
    environment["BULKMIGRATE_FAILPOINT"] = failpoint
    return try program(["run", "-q", "--resume-if-started"] + words, environment: environment)
  }

  /// The bytes of the destination and of what was left out; both are removed.
  private func made() throws -> [String: Data] {
    let names = [
      "Big.sqlite", "Big.sqlite.bulkmigrate/rejects/Note.jsonl",
      "Big.sqlite.bulkmigrate/rejects/Link.jsonl", "Big.sqlite.bulkmigrate/rejects/summary.json",
    ]
    let files = try names.map {
      try Data(contentsOf: URL(fileURLWithPath: program.directory.path($0)))
    }
    for name in ["Big.sqlite", "Big.sqlite.bulkmigrate"] {
      try FileManager.default.removeItem(atPath: program.directory.path(name))
    }
    return Dictionary(uniqueKeysWithValues: zip(names, files))
  }

  /// With titles that must differ eleven notes without one are the same as the first.
  @Test(arguments: ["", #""unique": ["title"], "keep": "quarantine","#])
  func `after a kill behind any durable step each is left out once`(unique: String) throws {
    try plan(unique)
    let first = try run("count")
    #expect(first.status == 3, "\(first.errors)")
    let steps = try #require(
      first.errors.split(separator: "\n").last.flatMap { Int($0.dropFirst("steps: ".count)) }
    )
    let expected = try made()
    let lines = try #require(expected["Big.sqlite.bulkmigrate/rejects/Note.jsonl"])
    #expect(lines.split(separator: UInt8(ascii: "\n")).count == 12)
    let links = try #require(expected["Big.sqlite.bulkmigrate/rejects/Link.jsonl"])
    #expect(links.split(separator: UInt8(ascii: "\n")).count == 12)
    #expect(steps > 20)
    for step in 1...steps {
      #expect(try run("step:\(step)").status == -9, "step \(step)")
      let rest = try run()
      #expect(rest.status == 3, "step \(step): \(rest.errors)")
      #expect(try made() == expected, "step \(step)")
    }
  }

  @Test func `more than the limit end with 1, and a larger limit goes on`() throws {
    let refused = try run(nil, "--max-rejects", "23")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("24 of 240 objects would be left out"), "\(refused.errors)")
    #expect(try run(nil, "--max-rejects", "10%").status == 3)
    _ = try made()
  }
}
