import BulkMapping
import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// Rows that lead to one another, made by two mappings into one table; and notes, of which some lack a
/// title that the destination requires, with links that require a note.
@Suite("The durable steps of rows with links and of objects that are left out", .program)
struct RowStepTests {
  private let program: Program
  private static let run = ["run", "-q", "--resume-if-started"]
  private static let leavingOut = run + ["--on-error", "quarantine"]
  private static let environment = ["BULKMIGRATE_BATCH_ROWS": "100"]
  private static let state = "Big.sqlite.bulkmigrate"

  init() throws { program = try Program() }

  private static func model(isStrict: Bool) throws -> ManagedObjectModel {
    var note = RelationshipDescription.toOne("note", "Note.links")
    note.isOptional = false
    return try .of(
      .init(
        "Note",
        [isStrict ? .required("title") : .optional("title")],
        [.toMany("links", "Link.note")]
      ),
      .init("Link", [.optional("target")], [note]),
      .init(
        "Thing",
        [.optional("amount", .integer64)],
        [.toOne("next", "Thing.former"), .toMany("former", "Thing.next")]
      )
    )
  }

  private func plan(lacking missing: Int64, unique: [String]? = nil) throws {
    var store = TestStore(try Self.model(isStrict: false))
    store.objects = (1...120).map {
      TestObject("Note", $0, ["title": $0 % 10 == missing ? .null : .string("note \($0)")])
    }
    store.objects += (1...120).map { TestObject("Link", $0, links: ["note": [121 - $0]]) }
    // 7 has no common factor with 500, so every thing leads to another one.
    store.objects += (1...500).map { key in
      TestObject(
        "Thing",
        key,
        ["amount": .integer(key % 3)],
        links: ["next": [1 + key * 7 % 500]]
      )
    }
    let next =
      "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'next', "
      + "$source.next)"
    try program.plan(
      store,
      to: Self.model(isStrict: true),
      by: [
        .of("Note", "Note", unique: unique, keeping: .quarantine, ["title": "$source.title"]),
        .of(
          "Link",
          "Link",
          where: "note != nil",
          ["target": "$source.target"],
          ["note": instances("NoteToNote", "$source.note")]
        ),
        .of(
          "Thing",
          "Thing",
          named: "Kept",
          where: "amount > 0",
          ["amount": "$source.amount"],
          ["next": next]
        ),
        .of(
          "Thing",
          "Thing",
          named: "More",
          where: "amount == 0",
          ["amount": "$source.amount + 1"],
          ["next": next]
        ),
      ]
    )
  }

  private func made(_ names: String...) throws -> [Data] {
    defer { program.remove("Big.sqlite", Self.state) }
    let files = names.map { "\(Self.state)/rejects/\($0)" }
    return try (["Big.sqlite"] + files).flatMap { try program.bytes(of: $0) }
  }

  @Test func `after a kill behind any of them the same bytes come out`() throws {
    try plan(lacking: 10)
    try program.killBehindEachStep(of: Self.run, Self.environment) {
      let file = StoreFile(program.directory.path("Big.sqlite"))
      #expect(
        try file.rows("SELECT count(*), count(DISTINCT ZNEXT), sum(Z_PK <= 500) FROM ZTHING")
          == [[500, 500, 334]]
      )
      #expect(try file.integrity() == [["ok"]])
      return try made()
    }
  }

  /// With titles that must differ eleven notes without one are the same as the first.
  @Test(arguments: [nil, ["title"]])
  func `after a kill behind any of them each object is left out once`(unique: [String]?) throws {
    try plan(lacking: 3, unique: unique)
    let files = try program.killBehindEachStep(of: Self.leavingOut, Self.environment, endingWith: 3)
    {
      try made("Note.jsonl", "Link.jsonl", "summary.json")
    }
    for lines in files[1...2] {
      #expect(lines.split(separator: UInt8(ascii: "\n")).count == 12)
    }
  }

  @Test func `more than the limit end with 1, and a larger limit goes on`() throws {
    try plan(lacking: 3)
    let refused = try program(Self.leavingOut + ["--max-rejects", "23"], ending: 1)
    #expect(refused.errors.contains("24 of 740 objects would be left out"), "\(refused.errors)")
    #expect(try program(Self.leavingOut + ["--max-rejects", "10%"]).status == 3)
  }
}
