import BulkTestSupport
import Testing

/// What the steps of a route count of the store that the first of them reads.
struct LegAccountTests {
  /// The losses of a run over several versions, each with its step; the plan has those of the first leg.
  private static func losses(
    _ store: TestStore,
    to versions: ManagedObjectModel...,
    fuses: Bool = false
  ) throws -> [String] {
    let directory = TemporaryDirectory()
    let plan = try plan(store, to: versions, fuses: fuses, in: directory)
    #expect(plan.legs.count == (fuses ? 1 : versions.count))
    let losses = try Migration(inTestProcess: plan).run().losses
    #expect(plan.losses == losses.filter { $0.step <= plan.legs[0].steps })
    return losses.map { "step \($0.step): \($0)" }
  }

  private static func plan(
    _ store: TestStore,
    to versions: [ManagedObjectModel],
    fuses: Bool = false,
    in directory: TemporaryDirectory
  ) throws -> MigrationPlan {
    let models = [store.model] + versions
    let names = models.indices.map { "v\($0).mom" }
    for (model, name) in zip(models, names) { try TestStore.write(model, to: directory.path(name)) }
    let chain = ["bulkmigrate": "mapping/1", "chain": names] as [String: Any]
    let json = try JSONSerialization.data(withJSONObject: chain)
    try json.write(to: URL(fileURLWithPath: directory.path("chain.json")))
    var request = PlanRequest()
    request.source = try store.write(to: directory.path("store.sqlite")).path
    request.mapping = directory.path("chain.json")
    request.destination = directory.path("new.sqlite")
    request.fuses = fuses
    return try Planner.plan(request)
  }

  private static func note(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", attributes))
  }

  private static func noteStore() throws -> TestStore {
    TestStore(
      try note(.optional("body"), .optional("title")),
      .each("Note", ["title": "one", "body": "first"], ["title": "two"])
    )
  }

  private static let stars = AttributeDescription.optional(
    "stars",
    .integer16,
    default: .integer(3)
  )
  private static let lostBody =
    "1 value of Note.body: no mapping reads them"

  @Test func `values that one leg adds and a later one removes are not lost`() throws {
    #expect(
      try Self.losses(
        Self.noteStore(),
        to: Self.note(.optional("body"), Self.stars, .optional("title")),
        Self.note(.optional("title"))
      ) == ["step 2: \(Self.lostBody)"]
    )
  }

  @Test func `a later leg that loses too much is refused, and the leg before it is kept`() throws {
    let directory = TemporaryDirectory()
    let versions = [
      try Self.note(.optional("body"), Self.stars, .optional("title")),
      try Self.note(.optional("title")),
    ]
    let plan = try Self.plan(Self.noteStore(), to: versions, in: directory)
    #expect(plan.losses.isEmpty)
    var migration = Migration(inTestProcess: plan)
    migration.minimumRowsForCheckpoints = 1
    migration.lossLimit = .usual
    let text = failure { try migration.run() }
    #expect(
      text == """
        more is lost than --max-loss none allows; leg 1 is made and kept:
          \(Self.lostBody)
        to go on: bulkmigrate resume with --max-loss 1
        """
    )
    #expect(try directory.bytes()["new.sqlite"] == nil)
    #expect(failure { try migration.run(.resume) } == text)
    migration.lossLimit = .count(1)
    let resumed = try migration.run(.resume)
    #expect(resumed.stepsBefore == 1)
    #expect(resumed.losses.map { "\($0)" } == [Self.lostBody])
  }

  @Test func `what steps that are one leave out has the name that it has in the source`() throws {
    func model(
      _ name: String,
      _ other: String,
      unique: [[String]] = []
    ) throws
      -> ManagedObjectModel
    {
      let memo = EntityDescription(name, id: "Memo", [.optional("text")], unique: unique)
      return try .of(memo, EntityDescription(other), EntityDescription("Tag"))
    }
    var store = TestStore(try model("Memo", "Setting"))
    store.objects = [1, 2].map { TestObject("Memo", $0, ["text": "same"]) }
    let directory = TemporaryDirectory()
    // The numbers of the last version are those of other entities in the first.
    let versions = [
      try model("Page", "Setting"), try model("Page", "Album", unique: [["text"]]),
    ]
    let plan = try Self.plan(store, to: versions, fuses: true, in: directory)
    var migration = Migration(inTestProcess: plan)
    migration.rejects = RejectPolicy(.quarantine)
    let folder = try #require(try migration.run().rejectFolderPath)
    #expect(
      try String(contentsOfFile: "\(folder)/Memo.jsonl", encoding: .utf8)
        == #"{"entity": "Memo", "key": 2, "uri": "x-coredata://\#(TestStore.uuid)/Memo/p2", "reasons": [{"object": "#
        + #""Page 2", "property": "text", "rule": "unique", "value": "same"}], "values": {"text": "same"}}"#
        + "\n"
    )
  }

  // MARK: Columns that no model manages

  private static func animals(
    catUnder parent: String?,
    _ more: EntityDescription...
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [EntityDescription("Cat", under: parent, [.optional("purr")])] + more
    )
  }

  /// An animal, two cats and their column.
  private static func animalStore() throws -> TestStore {
    var store = TestStore(
      try animals(catUnder: "Animal", EntityDescription("Animal", [.optional("name")])),
      TestObject("Animal", 1),
      TestObject("Cat", 2),
      TestObject("Cat", 3)
    )
    store.sql = ["ALTER TABLE ZANIMAL ADD COLUMN XAPP TEXT", "UPDATE ZANIMAL SET XAPP = 'x'"]
    return store
  }

  private static let left = "the table is removed or rebuilt, or needs the name"

  @Test func `the leg in which an entity leaves its table counts its unmanaged values`() throws {
    #expect(
      try Self.losses(
        Self.animalStore(),
        to: Self.animals(
          catUnder: "Animal",
          EntityDescription("Animal", [.optional("title", id: "name")])
        ),
        Self.animals(catUnder: nil, EntityDescription("Animal", [.optional("title")]))
      ) == ["step 2: 2 unmanaged values of ZANIMAL.XAPP: \(Self.left)"]
    )
  }

  @Test func `unmanaged values go with the objects whose entity a later leg removes`() throws {
    #expect(
      try Self.losses(
        Self.animalStore(),
        to: Self.animals(catUnder: nil, EntityDescription("Animal", [.optional("name")])),
        Self.animals(catUnder: nil)
      ) == [
        "step 1: 2 unmanaged values of ZANIMAL.XAPP: \(Self.left)",
        "step 2: 1 object of Animal: the entity is removed",
      ]
    )
  }

  @Test func `the leg that removes an entity counts its records of CloudKit`() throws {
    func model(_ names: String...) throws -> ManagedObjectModel {
      try ManagedObjectModel(entities: names.map { EntityDescription($0, [.optional("name")]) })
    }
    var store = TestStore(try model("Cat", "Dog"), TestObject("Cat", 1), TestObject("Dog", 1))
    store.sql = [
      "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER)",
      "INSERT INTO ANSCKRECORDMETADATA (ZENTITYID) VALUES (1), (2), (2)",
    ]
    #expect(
      try Self.losses(store, to: model("Bird", "Cat", "Dog"), model("Bird", "Cat")) == [
        "step 2: 1 object of Dog: the entity is removed",
        "step 2: 2 rows of ANSCKRECORDMETADATA: their objects' entities are removed",
      ]
    )
  }

  // MARK: Links

  @Test func `links that one step keeps and the next makes pairs of are kept`() throws {
    func model(
      _ keeper: String,
      _ animal: [RelationshipDescription],
      _ cat: [RelationshipDescription]
    ) throws -> ManagedObjectModel {
      try .of(
        .init("Animal", [.optional("name")], animal),
        .init("Cat", under: "Animal", [], cat),
        .init("Keeper", [], [.toMany("pets", "\(keeper).keeper")])
      )
    }
    let store = TestStore(
      try model("Animal", [.toOne("keeper", "Keeper.pets")], []),
      TestObject("Animal", 1, links: ["keeper": [1]]),
      TestObject("Cat", 2, links: ["keeper": [1]]),
      TestObject("Cat", 3, links: ["keeper": [1]])
    )
    #expect(
      try Self.losses(
        store,
        to: model("Cat", [], [.toOne("keeper", "Keeper.pets")]),
        model("Cat", [], [.toMany("keeper", "Keeper.pets")]),
        fuses: true
      ) == ["step 1: 1 link of Animal.keeper: no mapping reads them"]
    )
  }

  @Test func `pairs that become one key and pairs again are counted once`() throws {
    func model(
      _ tag: RelationshipDescription,
      _ more: AttributeDescription...
    ) throws -> ManagedObjectModel {
      try .of(
        .init("Note", more, [tag]),
        .init("Tag", [], [.toMany("notes", "Note.tag", isOrdered: true)])
      )
    }
    let many = RelationshipDescription.toMany("tag", "Tag.notes")
    let store = TestStore(
      try model(many),
      TestObject("Note", 1, links: ["tag": [7, 8]]),
      TestObject("Note", 2, links: ["tag": [8]]),
    )
    #expect(
      try Self.losses(
        store,
        to: model(.toOne("tag", "Tag.notes")),
        model(many, .optional("title")),
        fuses: true
      ) == ["step 1: 1 link of Note.tag: the first of several objects is kept"]
    )
  }

  @Test func `keys that one step narrows and the next makes pairs of are kept but for those`()
    throws
  {
    func model(
      catUnder parent: String?,
      _ favourite: RelationshipDescription
    ) throws -> ManagedObjectModel {
      try .of(
        .init("Animal", [], [.toMany("fans", "Keeper.favourite")]),
        .init("Cat", under: parent, [.optional("purr")]),
        .init("Keeper", [], [favourite])
      )
    }
    let one = RelationshipDescription.toOne("favourite", "Animal.fans")
    let store = TestStore(
      try model(catUnder: "Animal", one),
      TestObject("Cat", 2),
      TestObject("Keeper", 1, links: ["favourite": [1]]),
      TestObject("Keeper", 2, links: ["favourite": [1]]),
      TestObject("Keeper", 3, links: ["favourite": [2]])
    )
    #expect(
      try Self.losses(
        store,
        to: model(catUnder: nil, one),
        model(catUnder: nil, .toMany("favourite", "Animal.fans")),
        fuses: true
      ) == [
        "step 1: 1 link of Keeper.favourite: the relationship does not lead to such objects any more"
      ]
    )
  }
}
