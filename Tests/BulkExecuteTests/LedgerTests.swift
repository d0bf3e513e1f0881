import BulkTestSupport
import Testing

@Suite("The ledger of losses", .tags(.promise19))
struct LedgerTests {
  /// Two notes with bodies in a folder, one in none, and three images of which one has no note.
  private static func notes() throws -> TestStore {
    TestStore(
      try .of(
        .init("Folder", [.optional("name")], [.toMany("notes", "Note.folder")]),
        .init("Image", [.optional("size", .integer64)], [.toOne("note", "Note.images")]),
        .init(
          "Note",
          [.optional("body"), .optional("title")],
          [.toOne("folder", "Folder.notes"), .toMany("images", "Image.note")]
        )
      ),
      TestObject("Folder", 1, ["name": "a"], links: ["notes": [1, 2]]),
      TestObject("Image", 1, ["size": 7]),
      TestObject("Image", 2, ["size": 8]),
      TestObject("Image", 3),
      TestObject("Note", 1, ["body": "x", "title": "t"], links: ["images": [1, 2]]),
      TestObject("Note", 2, ["body": "y"]),
      TestObject("Note", 3, ["title": "u"])
    )
  }

  private static let texts = EntityDescription("Note", [.optional("body"), .optional("title")])
  private static let bothTexts = ["body": "$source.body", "title": "$source.title"]

  private static func migrated(
    _ planned: Planned,
    policies: [String: any EntityMigrationPolicy] = [:],
    limit: LossLimit = .all
  ) throws -> [String] {
    try planned.run {
      $0.lossLimit = limit
      $0.policies = PolicyRegistry(policies)
    }.lossLines
  }

  /// The notes that a filter takes become others with both texts.
  private static func planned(where filter: String) throws -> Planned {
    try Planned(
      notes(),
      to: .of(texts),
      by: [.of("Note", "Note", where: filter, bothTexts)]
    )
  }

  @Test func `an inferred step tells entities, values and links that are gone`() throws {
    let planned = try Planned(
      Self.notes(),
      to: .of(.init("Folder", [.optional("name")]), .init("Note", [.optional("title")]))
    )
    let losses = [
      "3 objects of Image: the entity is removed",
      "2 values of Note.body: no mapping reads them",
      "2 links of Note.folder: no mapping reads them",
    ]
    #expect(planned.plan.lossLines == losses)
    #expect(try Self.migrated(planned) == losses)
  }

  @Test func `a step that loses nothing says so`() throws {
    let store = try Self.notes()
    var entities = store.model.entities
    for index in entities.indices {
      if entities[index].name == "Image" {
        entities[index].attributes = [.optional("bytes", .integer64, id: "size")]
      } else {
        entities[index].attributes.append(.optional("stars", .integer16))
      }
    }
    #expect(try Planned(store, to: ManagedObjectModel(entities: entities)).plan.losses == [])
  }

  @Test func `what a written mapping does not mention is lost`() throws {
    let planned = try Planned(
      Self.notes(),
      to: .of(.init("Note", [.optional("folderName"), .optional("title")])),
      by: [
        .of("Note", "Note", ["folderName": "$source.folder.name", "title": "$source.title"])
      ]
    )
    let losses = [
      "1 object of Folder: the entity is removed",
      "3 objects of Image: the entity is removed",
      "2 values of Note.body: no mapping reads them",
    ]
    #expect(planned.plan.lossLines == losses)
    #expect(try Self.migrated(planned) == losses)
  }

  @Test func `what a filter leaves out is counted by SQL where SQL can, and else by the run`()
    throws
  {
    let planned = try Self.planned(where: "title == 't'")
    let losses = [
      "1 object of Folder: the entity is removed",
      "3 objects of Image: the entity is removed",
      "2 objects of Note: they do not satisfy title == \"t\"",
      "at most 2 links of Note.folder: objects of Folder are not migrated",
    ]
    #expect(planned.plan.lossLines == losses)
    #expect(planned.plan.passes.flatMap(\.entities).first { $0.entity == "Note" }?.rowsLeftOut == 2)
    // One of the two notes with a folder satisfies the filter.
    let links = "1 link of Note.folder: objects of Folder are not migrated"
    #expect(try Self.migrated(planned) == losses.dropLast() + [links])
    let evaluated = try Self.planned(where: "title MATCHES 't+'")
    let reason = "objects of Note: they do not satisfy title MATCHES \"t+\""
    #expect(evaluated.plan.lossLines[2] == "at most 3 \(reason)")
    #expect(try Self.migrated(evaluated)[2] == "2 \(reason)")
  }

  @Test func `objects that one of several mappings takes are not lost`() throws {
    let model = try ManagedObjectModel.of(
      EntityDescription("Plain", [.optional("body"), .optional("title")]),
      EntityDescription("Titled", [.optional("body"), .optional("title")])
    )
    let planned = try Planned(
      Self.notes(),
      to: model,
      by: [
        .of("Note", "Titled", where: "title != nil", Self.bothTexts),
        .of("Note", "Plain", where: "title == nil", Self.bothTexts),
      ]
    )
    #expect(planned.plan.losses.map(\.owner) == ["Folder", "Image", "Note.folder"])
    #expect(try Self.migrated(planned).count == 3)
  }

  /// Makes notes with titles only, whose bodies it shortens.
  private static let titled = Making { source, mapping, manager in
    guard try source["title"] ?? .null != .null else { return }
    try manager.make(source, mapping)
  }

  @Test func `what a policy leaves out is counted by the run`() throws {
    let planned = try Planned(
      Self.notes(),
      to: .of(EntityDescription("Note", [.optional("body")])),
      by: [.of("Note", "Note", policy: "Titled")]
    )
    let reason = "no expression reads them, and only policy Titled knows whether it does"
    #expect(
      planned.plan.lossLines[2...] == [
        "at most 2 values of Note.body: \(reason)", "at most 2 values of Note.title: \(reason)",
        "at most 2 links of Note.folder: objects of Folder are not migrated",
      ]
    )
    #expect(
      try Self.migrated(planned, policies: ["Titled": Self.titled])[2...] == [
        "1 object of Note: policy Titled made nothing of them",
        "1 value of Note.body: no mapping reads them",
        "at most 1 link of Note.folder: objects of Folder are not migrated",
      ]
    )
  }

  @Test func `links to objects that a filter leaves out are counted by the run`() throws {
    let planned = try Planned(
      Self.notes(),
      to: .of(
        .init("Folder", [.optional("name")]),
        .init("Image", [.optional("size", .integer64)]),
        .init("Note", [.optional("body"), .optional("title")], [.toOne("folder", "Folder")])
      ),
      by: [
        .of("Folder", "Folder", where: "name == 'b'", ["name": "$source.name"]),
        .of("Image", "Image", ["size": "$source.size"]),
        .of(
          "Note",
          "Note",
          Self.bothTexts,
          ["folder": instances("FolderToFolder", "$source.folder")]
        ),
      ]
    )
    let images = "2 links of Image.note: no mapping reads them"
    #expect(
      planned.plan.lossLines == [
        "1 object of Folder: they do not satisfy name == \"b\"", images,
        "at most 2 links of Note.folder: not all objects of Folder are migrated",
      ]
    )
    #expect(
      try Self.migrated(planned) == [
        "1 object of Folder: they do not satisfy name == \"b\"", images,
        "2 links of Note.folder: the object at the other end is not migrated",
      ]
    )
  }

  @Test func `unmanaged columns and indexes that cannot stay are told`() throws {
    var store = try Self.notes()
    store.sql = [
      "ALTER TABLE ZNOTE ADD COLUMN MARK INTEGER", "UPDATE ZNOTE SET MARK = 1 WHERE Z_PK < 3",
      "CREATE INDEX MINE ON ZNOTE (ZBODY)",
    ]
    let planned = try Planned(
      store,
      to: .of(Self.texts),
      by: [.of("Note", "Note", Self.bothTexts)]
    )
    let losses = [
      "1 object of Folder: the entity is removed",
      "3 objects of Image: the entity is removed",
      "2 links of Note.folder: objects of Folder are not migrated",
      "2 unmanaged values of ZNOTE.MARK: the table is removed or rebuilt, or needs the name",
    ]
    #expect(planned.plan.lossLines == losses)
    #expect(planned.plan.losses.most == 8)
    let shorter = try Planned(
      store,
      to: .of(EntityDescription("Note", [.optional("title")]))
    )
    #expect(
      shorter.plan.losses.last?.description
        == "1 unmanaged index MINE: it refers to something that is gone or has another name"
    )
    #expect(shorter.plan.losses.most == 8)
  }

  // MARK: The limit

  @Test func `what the plan counts is refused before anything is made`() throws {
    let planned = try Planned(
      Self.notes(),
      to: .of(EntityDescription("Note", [.optional("title")]))
    )
    let text = failure { try Self.migrated(planned, limit: .count(5)) }
    #expect(
      text == """
        more is lost than --max-loss 5 allows; no destination was made:
          1 object of Folder: the entity is removed
          3 objects of Image: the entity is removed
          2 values of Note.body: no mapping reads them
          2 links of Note.folder: objects of Folder are not migrated
        to accept this, pass --max-loss 8
        """
    )
    #expect(try planned.directory.contents() == Self.inputs)
    #expect(try Self.migrated(planned, limit: .count(8)).count == 4)
  }

  private static let inputs = ["destination.mom", "source.mom", "source.sqlite"]

  @Test func `what only the run counts is made and not published, until it is allowed`() throws {
    let planned = try Self.planned(where: "title MATCHES 't+'")
    var migration = Migration(inTestProcess: planned.plan)
    migration.lossLimit = .count(4)
    migration.minimumRowsForCheckpoints = 1
    #expect(failure { try migration.run() }.contains("the destination is made, but not published"))
    let files = try planned.directory.contents()
    #expect(files.contains("destination.sqlite.bulkmigrate"))
    #expect(!files.contains("destination.sqlite"))
    // Of the two notes that lead to the folder that goes one is left out.
    migration.lossLimit = .count(8)
    let outcome = try migration.run(.resume)
    #expect(outcome.wasWhole)
    #expect(outcome.losses.map(\.count) == [1, 3, 2, 1])
  }

  // MARK: What must come out even

  @Test func `rows that no one accounts for are published by no one`() throws {
    func planned() throws -> Planned {
      try Planned(
        Self.notes(),
        to: .of(EntityDescription("Note", [.optional("title")])),
        by: [.of("Note", "Note", ["title": "$source.title"])]
      )
    }
    var more = try planned()
    more.plan.passes[0].entities[0].rows = 4
    #expect(
      failure(of: more) == """
        rows of the source DIR/source.sqlite are not accounted for; no destination was made:
          entity mapping NoteToNote reads 4 rows of Note, of which 3 became objects, 0 were merged, \
        0 left out by the filter and 0 by the policy
        """
    )
    var less = try planned()
    less.plan.losses.removeAll { $0.owner == "Image" }
    #expect(
      failure(of: less).hasSuffix(
        "\n  the source has 7 objects, of which 3 were read and 1 are counted as removed"
      )
    )
  }
}
