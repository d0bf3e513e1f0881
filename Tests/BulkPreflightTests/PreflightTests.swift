import BulkMigrate
import BulkTestSupport
import Testing

struct PreflightTests {
  private static let oldNote = EntityDescription(
    "Note",
    [.optional("title"), .optional("text"), .optional("stars", .integer64)],
    [.toMany("links", "Link.note")]
  )

  private static func oldModel() throws -> ManagedObjectModel {
    try .of(oldNote, .init("Link", [.optional("name")], [.toOne("note", "Note.links")]))
  }

  /// Titles are required, stars are small numbers, amounts are unique, and links may not be without a note.
  private static func newModel() throws -> ManagedObjectModel {
    var stars = AttributeDescription.optional("stars", .integer16)
    stars.validationPredicates = [try ValuePredicate(format: "SELF <= 9")]
    var note = EntityDescription(
      "Note",
      [.required("title"), stars, .optional("amount", .double)],
      [.toMany("links", "Link.note")]
    )
    note.uniquenessConstraints = [["amount"]]
    var owner = RelationshipDescription.toOne("note", "Note.links")
    owner.isOptional = false
    return try .of(note, .init("Link", [.optional("name")], [owner]))
  }

  /// Notes with titles, numbered from 1.
  private static func notes(_ titles: String?...) throws -> TestStore {
    var store = TestStore(try .of(EntityDescription("Note", [.optional("title")])))
    store.objects = titles.enumerated().map { index, title in
      TestObject("Note", Int64(index + 1), title.map { ["title": .string($0)] } ?? [:])
    }
    return store
  }

  /// A plan of the old model's objects for the new one, of which titles alone are read.
  private static func planned(_ objects: [TestObject]) throws -> Planned {
    var store = TestStore(try oldModel())
    store.objects = objects
    return try Planned(store, to: newModel(), by: [.of("Note", "Note", ["title": "$source.title"])])
  }

  /// Notes 1 to 400, each with a link: 40 without a title, 20 with many stars, of which 10 do not fit at all,
  /// 8 with a text that is not a number, and 3 with the amount of another one.
  static func planned() throws -> Planned {
    var store = TestStore(try oldModel())
    store.objects = (1...400).map { (key: Int64) in
      TestObject(
        "Note",
        key,
        [
          "title": key % 10 == 0 ? .null : .string("note \(key)"),
          "text": .string(key % 50 == 7 ? "x" : key % 100 == 1 ? "1001" : "\(1_000 + key)"),
          "stars": .integer(key % 20 == 3 ? (key % 40 == 3 ? 100_000 : 10) : 5),
        ]
      )
    }
    store.objects += (1...400).map { TestObject("Link", $0, links: ["note": [401 - $0]]) }
    return try Planned(
      store,
      to: newModel(),
      by: [
        .of(
          "Note",
          "Note",
          [
            "title": "$source.title", "stars": "$source.stars",
            "amount": "CAST($source.text, 'NSNumber')",
          ]
        ),
        .of(
          "Link",
          "Link",
          ["name": "$source.name"],
          ["note": instances("NoteToNote", "$source.note")]
        ),
      ]
    )
  }

  @Test(arguments: [RejectPolicy.Dependants.nullify, .reject])
  func `the counts are those of a run that leaves objects out`(
    dependants: RejectPolicy.Dependants
  ) throws {
    let planned = try Self.planned()
    let before = try planned.directory.contents()
    let report = try planned.report(dependants: dependants)
    #expect(try planned.directory.contents().filter { $0 != "temporary" } == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: planned.directory.path("temporary")) == []
    )
    let rejected = try planned.rejected(dependants: dependants)
    #expect(report.counts == rejected.counts)
    #expect(report.rejected == rejected.count)
    if dependants == .nullify {
      #expect(
        report.counts == [
          "title: required": 40, "stars: expression": 10, "stars: SELF <= 9": 10,
          "amount: expression": 8, "amount: unique": 3,
          "note: leads to an object that is left out": 71,
        ]
      )
    }
    #expect(report.rowsRead == 800)
    #expect(!report.isClear)
  }

  @Test func `a finding names the first objects, the place of the expression, and the values`()
    throws
  {
    let planned = try Self.planned()
    let report = try planned.report()
    let finding = try #require(
      report.findings.first { $0.kind == .expression && $0.property == "stars" }
    )
    #expect(finding.entity == "NoteToNote")
    #expect(finding.first.map(\.key) == [3, 43, 83, 123, 163, 203, 243, 283, 323, 363])
    #expect(finding.first[0].entity == "Note")
    #expect(finding.first[0].value == "100000 does not fit into stars, which is Integer 16")
    #expect([finding.least, finding.greatest] == ["5", "100000"])
    #expect(finding.total == 400)
    #expect(finding.outcome == .leftOut)
    let place = try #require(finding.expression)
    let lines = try String(contentsOfFile: place.path, encoding: .utf8).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    let column = try #require(place.column)
    #expect(lines[place.line - 1].dropFirst(column - 1).hasPrefix("$source.stars"))
  }

  /// Core Data checks no rules there, and neither does a run; the app cannot save what breaks them.
  @Test(arguments: [nil, 0.5])
  func `an inferred migration keeps what breaks rules, and it is told`(sample: Double?) throws {
    var folder = RelationshipDescription.toOne("folder", "Folder.notes")
    folder.isOptional = false
    var store = TestStore(
      try .of(
        .init("Note", [.optional("stars", .integer64), .optional("text")], [folder]),
        .init("Folder", [], [.toMany("notes", "Note.folder")])
      )
    )
    store.objects = [TestObject("Folder", 1), TestObject("Folder", 2)]
    store.objects += (1...100).map { (key: Int64) in
      TestObject("Note", key, ["stars": .integer(key)], links: ["folder": key < 92 ? [1] : []])
    }
    var stars = AttributeDescription.optional("stars", .integer64)
    stars.validationPredicates = [try ValuePredicate(format: "SELF <= 17")]
    var notes = RelationshipDescription.toMany("notes", "Note.folder")
    notes.maxCount = 90
    let planned = try Planned(
      store,
      to: .of(.init("Note", [stars, .optional("text")], [folder]), .init("Folder", [], [notes]))
    )
    let report = try planned.report(sample: sample)
    #expect(report.findings.allSatisfy { $0.kind == .rule && $0.outcome == .kept })
    #expect(report.rejected == (sample == nil ? 0 : nil))
    #expect(
      report.counts
        == (sample == nil
          ? ["stars: SELF <= 17": 83, "folder: required": 9, "notes: at most 90 objects": 1]
          : ["stars: SELF <= 17": 83])
    )
    #expect(try planned.rejected().count == 0)
  }

  @Test func `nobody misses the file of a value that is dropped`() throws {
    func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
      try .of(EntityDescription("Note", attributes))
    }
    let store = TestStore(
      try model(.external("image"), .optional("title")),
      TestObject("Note", 1, ["title": "a"])
    )
    let sql =
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '8F4F6C2A-7C9B-4A5E-8D11-6A6C9A1B2C3D' || x'00' AS BLOB)"
    for (destination, count) in [
      (try model(.optional("title")), 0), (try model(.external("image")), 1),
    ] {
      let planned = try Planned(store, to: destination) { try $0.execute(sql) }
      #expect(try planned.report().findings.count { $0.kind == .missingFile } == count)
    }
  }

  @Test func `the file of a value is missed that only another entity drops`() throws {
    let model = try ManagedObjectModel.of(
      .init("Base", [.external("image")]),
      .init("Sub", under: "Base")
    )
    let store = TestStore(model, TestObject("Base", 1), TestObject("Sub", 2))
    let mappings: [EntityMapping] = try [
      .of("Base", "Base"), .of("Sub", "Sub", ["image": "$source.image"]),
    ]
    let planned = try Planned(store, to: model, by: mappings) {
      try $0.execute(
        "UPDATE ZBASE SET ZIMAGE = CAST(x'02' || '8F4F6C2A-7C9B-4A5E-8D11-6A6C9A1B2C3D' || x'00' AS BLOB)"
      )
    }
    let found = try planned.report().findings.filter { $0.kind == .missingFile }
    #expect(found.flatMap(\.first).map { "\($0.entity) \($0.key)" } == ["Sub 2"])
  }

  @Test func `a sample takes the same keys whatever rows there are`() throws {
    let planned = try Self.planned()
    let report = try planned.report(sample: 0.25)
    #expect(report.sample == 0.25)
    #expect(report.rejected == nil)
    // Of 400 rows a table as many as 256 or more, by the hashes of their blocks.
    #expect(report.rowsRead == 482)
    #expect(report.rowsTotal == 800)
    #expect(
      report.counts == [
        "title: required": 25, "stars: expression": 6, "stars: SELF <= 9": 6,
        "amount: expression": 4,
      ]
    )
    #expect(
      report.unseen[0]
        == "rows: all but 25% of the keys of each table, or about 256 rows where that is more"
    )
  }

  /// So many that a sample is less than all.
  @Test func `a sample of rows that keep their keys is not a damaged source`() throws {
    func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
      try .of(EntityDescription("Note", attributes), .init("Tag", [.optional("name")]))
    }
    var store = TestStore(try model(.optional("stars", .integer64)))
    store.objects = (1...1_100).map { TestObject("Note", $0, ["stars": .integer($0)]) }
    store.objects += (1...1_100).map { TestObject("Tag", $0) }
    var stars = AttributeDescription.optional("stars", .integer64)
    stars.validationPredicates = [try ValuePredicate(format: "SELF > 0")]
    let planned = try Planned(store, to: model(stars, .optional("text")))
    let report = try planned.report(sample: 0.25)
    #expect(report.counts == [:])
    #expect(report.rowsTotal == 2_200)
  }

  /// The keys of the notes without a title that a sample of a quarter finds.
  private static func sampled(_ keys: [Int64]) throws -> [Int64] {
    let planned = try planned(keys.map { TestObject("Note", $0) })
    let report = try planned.report(sample: 0.25)
    #expect(report.counts.keys.sorted() == ["title: required"])
    return report.findings[0].first.map(\.key)
  }

  @Test func `whether a key is taken does not depend on others, nor on gaps`() throws {
    // So many that a quarter of them is more than is read at least.
    let dense = try Self.sampled(Array(1...1_100))
    let longer = try Self.sampled(Array(1...1_400))
    let withGaps = try Self.sampled(Array(1...1_100) + [1 << 40, 1 << 61])
    let even = try Self.sampled((1...1_100).map { 2 * $0 })
    #expect(dense.count == 10)
    #expect(longer == dense)
    #expect(withGaps == dense)
    #expect(Array(even.prefix(5)) == dense.filter { $0 % 2 == 0 })
  }

  @Test func `of a small table all rows are read, of every other one some`() throws {
    let planned = try Self.planned(
      (1...2_000).map { TestObject("Note", $0, ["title": "a"]) }
        + (5_001...5_010).map { TestObject("Link", $0) }
    )
    #expect(try planned.report().findings == [])
    let report = try planned.report(sample: 0.0001)
    // All ten links, and by the hashes of their blocks some 256 notes.
    #expect(report.rowsRead == 10 + 224)
    #expect(report.rowsTotal == 2_010)
  }

  @Test func `entities of which no row is read are named`() throws {
    let animal = EntityDescription("Animal", [.optional("name")])
    let dog = EntityDescription("Dog", under: "Animal")
    let model = try ManagedObjectModel.of(animal, dog)
    var store = TestStore(model)
    store.objects = (1...2_000).map { TestObject("Animal", $0) }
    let planned = try Planned(store, to: model, by: [.of("Animal", "Animal", ["name": "'x'"])])
    let report = try planned.report(sample: 0.01)
    #expect(report.unseen.contains("Dog: none of its rows is among those, if it has any"))
    #expect(try planned.report().unseen == [])
  }

  @Test func `a link to an object that a filter leaves out is lost, and told by its row`() throws {
    var store = TestStore(try Self.oldModel())
    store.objects = (1...6).map {
      TestObject("Note", $0, ["title": .string($0 % 2 == 0 ? "even" : "odd")])
    }
    store.objects += (1...6).map { TestObject("Link", $0, links: ["note": [7 - $0]]) }
    let planned = try Planned(
      store,
      to: Self.oldModel(),
      by: [
        .of("Note", "Note", where: "title == 'odd'", ["title": "$source.title"]),
        .of("Link", "Link", [:], ["note": instances("NoteToNote", "$source.note")]),
      ]
    )
    let report = try planned.report()
    #expect(
      report.lines(.lostLink) == [
        "Link.note: the object at the other end is not migrated (3) Link 1, Link 3, Link 5"
      ]
    )
    let lost = try planned.rejected().losses.filter { $0.cause == .target }
    #expect(lost.map(\.count) == [3])
  }

  @Test func `values of a new uniqueness constraint are compared where rows keep their keys`()
    throws
  {
    var note = EntityDescription("Note", [.optional("title"), .optional("rank", .integer64)])
    note.uniquenessConstraints = [["title"]]
    let planned = try Planned(Self.notes("1", "2", "x", "x", "x"), to: .of(note))
    let report = try planned.report()
    #expect(report.lines(.uniqueness) == ["Note.title: unique (2) Note 4, Note 5"])
    #expect(report.rejected == 2)
    #expect(try planned.rejected().count == 2)
  }

  @Test func `a value that fails for an object of several rows stops a run in any case`() throws {
    let planned = try Planned(
      Self.notes("1", "1", "x", "x"),
      to: .of(EntityDescription("Note", [.optional("title"), .optional("amount", .double)])),
      by: [
        .of(
          "Note",
          "Note",
          unique: ["amount"],
          ["title": "$source.title", "amount": "CAST($source.title, 'NSNumber')"]
        )
      ]
    )
    let report = try planned.report()
    #expect(report.rejected == nil)
    #expect(report.findings.map(\.outcome) == [.stops])
    #expect(throws: MigrationError.self) { try planned.rejected() }
  }

  @Test func `those that agree where the first is kept are told`() throws {
    let store = try Self.notes("a", "b", "a", "a", "b")
    let planned = try Planned(
      store,
      to: store.model,
      by: [
        .of("Note", "Note", unique: ["title"], keeping: .quarantine, ["title": "$source.title"])
      ]
    )
    let report = try planned.report()
    #expect(
      report.lines(.uniqueness) == [
        "NoteToNote.title: the same as an object before it (3) Note 3, Note 4, Note 5"
      ]
    )
    let rejected = try planned.rejected()
    #expect(report.counts == rejected.counts)
    #expect(report.rejected == rejected.count)
  }

  /// Rejects notes without a title.
  private struct Choosy: EntityMigrationPolicy {
    func createDestinationInstances(
      forSource source: borrowing SourceInstance,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      guard case .string = try source["title"] else {
        throw RejectedObject(reason: "no title")
      }
      _ = try manager.findOrInsert("Note", with: ["title": try source["title"] ?? .null])
    }
  }

  @Test func `policies are called, and find what they have made`() throws {
    let store = try Self.notes("a", nil, "a", "b")
    let planned = try Planned(store, to: store.model, by: [.of("Note", "Note", policy: "Choosy")])
    var preflight = try planned.preflight()
    preflight.policies = PolicyRegistry(["Choosy": Choosy()])
    let report = try preflight.run()
    #expect(report.lines(.policy) == ["NoteToNote.policy: rejected by the policy (1) Note 2"])
    #expect(report.rejected == 1)
  }

  @Test func `of a route of several legs the first is looked at, and that is said`() throws {
    let app = try AppVersions()
    try app.writeStore(1)
    var request = PlanRequest()
    request.source = app.path("store.sqlite")
    request.destination = app.path("new.sqlite")
    request.models = [app.path("App.momd")]
    request.fuses = false
    try app.writeMapping()
    request.mappings = [app.path("v2-to-v3.json")]
    request.version = "v3"
    let plan = try Planner.plan(request)
    try #require(plan.legs.count == 2)
    var preflight = Preflight(plan)
    preflight.memoryLimit = .gibibytes(64)
    preflight.temporaryFolder = try app.directory.folder("temporary")
    let report = try preflight.run()
    #expect(
      report.unseen == [
        "leg 2: it reads a store that a run makes first, so rules, expressions and losses there were not checked"
      ]
    )
    #expect(report.rejected == nil)
    #expect(report.rowsRead == 2)
  }
}
