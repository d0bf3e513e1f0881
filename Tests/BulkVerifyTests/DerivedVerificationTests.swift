import BulkTestSupport
import Testing

@testable import BulkMigrate

struct DerivedVerificationTests {
  private static func model(derived: Bool) throws -> ManagedObjectModel {
    func derivations(
      _ attributes: (String, AttributeType, String)...
    ) throws
      -> [AttributeDescription]
    { try derived ? attributes.map { .derived($0, $1, try ValueExpression(format: $2)) } : [] }
    return try .of(
      .init(
        "Note",
        [
          .optional("title"), .optional("stars", .double), .optional("rank", .integer32),
          .optional("isRead", .boolean),
        ]
          + derivations(
            ("upper", .string, "uppercase:(title)"),
            ("plain", .string, "canonical:(folder.title)"),
            ("chance", .integer64, "random()")
          ),
        [.toOne("folder", "Folder.notes"), .toMany("tags", "Tag.notes")]
      ),
      .init(
        "Folder",
        [.optional("title")]
          + derivations(
            ("size", .integer64, "notes.@count"),
            ("total", .double, "sum:(notes.stars)"),
            ("least", .integer32, "notes.@min.rank"),
            ("greatest", .double, "max:(notes.stars)"),
            ("read", .integer32, "count:(notes.isRead)"),
            ("time", .date, "now()")
          ),
        [.toMany("notes", "Note.folder")]
      ),
      .init(
        "Tag",
        derivations(("size", .integer16, "notes.@count")),
        [.toMany("notes", "Note.tags")]
      )
    )
  }

  private static func store(derived: Bool) throws -> TestStore {
    var store = TestStore(
      try model(derived: derived),
      TestObject("Folder", 1, ["title": "Öl"]),
      TestObject("Folder", 2),
      TestObject("Tag", 1)
    )
    store.objects += (1...20).map { key in
      TestObject(
        "Note",
        key,
        [
          "title": .string("note \(key)"), "stars": .double(Double(key) / 10),
          "rank": key % 3 == 0 ? .null : .integer(key), "isRead": .boolean(key % 2 == 0),
        ],
        links: ["folder": [1], "tags": key < 8 ? [1] : []]
      )
    }
    return store
  }

  @Test func `a derived value that differs is found`() throws {
    let planned = try Planned(Self.store(derived: false), to: Self.model(derived: true))
    let destination = try planned.run()
    let verification = Verification(inTestProcess: planned.plan)
    #expect(try verification.run().sentences == [])
    let triggers = try destination.rows(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
    )
    func text(_ value: StoredValue) -> String {
      if case .text(let text) = value { text } else { "" }
    }
    for trigger in triggers { try destination.execute("DROP TRIGGER \(text(trigger[0]))") }
    try destination.execute("UPDATE ZFOLDER SET ZSIZE = 21 WHERE Z_PK = 1")
    try destination.execute("UPDATE ZNOTE SET ZCHANCE = 0 WHERE Z_PK = 7")
    for trigger in triggers { try destination.execute(text(trigger[1])) }
    let found = try verification.run().sentences
    #expect(found.count == 2)
    #expect(found.first == "Folder 1, size: expected 20, found 21 (made from Folder 1)")
    #expect(found.last?.hasPrefix("Note 7, chance: expected ") == true)
  }

  /// What a mistake in the SQL that derives would make.
  @Test func `values that evaluation does not give are found`() throws {
    let directory = TemporaryDirectory()
    // All derived values are nil.
    let source = try Self.store(derived: true)
    let file = try source.write(to: directory.path("source.sqlite"))
    let counter = try ObjectCounter(
      PersistentStore(path: file.path),
      source.model,
      memory: 1 << 20,
      constants: RunConstants(now: 0, randomSeed: 1)
    ) {}
    var found: [String] = []
    try counter.findWrongDerivations { found.append($0.description) }
    #expect(
      found.filter { !$0.hasPrefix("Note") }.sorted() == [
        "Folder 1, greatest: expected the value of max:(notes.stars), found another",
        "Folder 1, least: expected the value of notes.@min.rank, found another",
        "Folder 1, size: expected the value of count:(notes), found another",
        "Folder 1, total: expected the value of sum:(notes.stars), found another",
        "Folder 2, size: expected the value of count:(notes), found another",
        "Folder 2, total: expected the value of sum:(notes.stars), found another",
        "Tag 1, size: expected the value of count:(notes), found another",
      ]
    )
  }
}
