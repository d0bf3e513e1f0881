import BulkTestSupport
import Testing

/// Steps by mapping models: which are done as one with those beside them, and why others are not.
struct MappedLegTests {
  private let directory = TemporaryDirectory()

  private func chain(
    _ store: TestStore,
    _ steps: (model: ManagedObjectModel, mapping: MappingModel?)...
  ) throws -> Chain {
    let path = directory.path("store.sqlite")
    _ = try store.write(to: path)
    return try Chain(
      [store.model] + steps.map(\.model),
      steps.map(\.mapping),
      store: path,
      in: directory
    )
  }

  private func expectOne(_ chain: Chain) throws -> StoreFile {
    let legs = try chain.legs().map(\.boundary)
    #expect(legs == [[]])
    let fused = try chain.fused("fused")
    #expect(try fused.bytes() == chain.stepwise("stepwise").bytes())
    return fused
  }

  /// The reasons for which the second step is not done as one with the first; the outcome is the same.
  private func reasons(_ chain: Chain) throws -> [String] {
    let legs = try chain.legs()
    #expect(legs.count == 2)
    return legs.last?.boundary ?? []
  }

  private static func mapping(_ mappings: EntityMapping...) -> MappingModel {
    MappingModel(entityMappings: mappings)
  }

  private static func note(
    _ attributes: AttributeDescription...,
    unique: [[String]] = []
  ) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", attributes, unique: unique))
  }

  /// A version of the notes, and the mapping that makes them.
  private static func step(
    _ attributes: AttributeDescription...,
    unique: [[String]] = [],
    where filter: String? = nil,
    by values: [String: String]
  ) throws -> (model: ManagedObjectModel, mapping: MappingModel?) {
    (
      try .of(EntityDescription("Note", attributes, unique: unique)),
      mapping(try .of("Note", "Note", where: filter, values))
    )
  }

  private static func notes(_ model: ManagedObjectModel, _ titles: String?...) -> TestStore {
    var store = TestStore(model)
    for (index, title) in titles.enumerated() {
      let values: [String: AttributeValue] = title.map { ["title": .string($0)] } ?? [:]
      store.objects.append(TestObject("Note", Int64(index + 1), values))
    }
    return store
  }

  // MARK: What is done as one

  @Test func `a mapping reads a renamed attribute and the default value of a new one`() throws {
    let chain = try chain(
      Self.notes(try Self.note(.optional("title")), "one", nil, "three"),
      (
        try Self.note(
          .optional("headline", id: "title"),
          .optional("stars", .integer16, default: .integer(3))
        ), nil
      ),
      try Self.step(
        .optional("text"),
        .optional("rank", .integer16),
        where: "headline != nil",
        by: ["text": "uppercase($source.headline)", "rank": "$source.stars"]
      )
    )
    let made = try expectOne(chain)
    #expect(
      try made.rows(of: "ZNOTE", "Z_PK", "ZTEXT", "ZRANK") == [[1, "ONE", 3], [3, "THREE", 3]]
    )
  }

  @Test func `methods are called on the values of the version before`() throws {
    let chain = try chain(
      Self.notes(try Self.note(.optional("title")), "one,!", nil, "three,!"),
      (try Self.note(.optional("text", id: "title"), .optional("twin")), nil),
      try Self.step(
        .optional("word"),
        .optional("twin"),
        by: [
          "word": "FUNCTION(FUNCTION($source.text, 'componentsSeparatedByString:', ','), "
            + "'componentsJoinedByString:', '/')"
        ]
      )
    )
    let made = try expectOne(chain)
    #expect(
      try made.rows(of: "ZNOTE", "Z_PK", "ZWORD")
        == [[1, "one/!"], [2, nil], [3, "three/!"]]
    )
  }

  @Test func `a plan tells the mapping of every step`() throws {
    let chain = try chain(
      Self.notes(try Self.note(.optional("title")), "one"),
      (try Self.note(.optional("headline", id: "title")), nil),
      try Self.step(.optional("text"), by: ["text": "uppercase($source.headline)"])
    )
    let plan = try Planner.plan(
      over: chain.models,
      by: chain.mappings,
      from: chain.store,
      to: directory.path("made.sqlite")
    )
    #expect(plan.mappings.map(\.path) == [nil, chain.mappings[1]])
    #expect(
      plan.passes.flatMap(\.entities).flatMap(\.details)
        == ["attribute text = uppercase:($source.title)"]
    )
  }

  // MARK: What is not

  @Test func `a step behind a mapping model reads the objects that it made`() throws {
    let chain = try chain(
      Self.notes(try Self.note(.optional("title")), "one", nil),
      try Self.step(.optional("text"), by: ["text": "uppercase($source.title)"]),
      (try Self.note(.required("text", default: .string("none")), .optional("day", .date)), nil)
    )
    #expect(try reasons(chain) == ["v1 makes new objects"])
    let made = try chain.fused("fused")
    #expect(try made.rows(of: "ZNOTE", "Z_PK", "ZTEXT") == [[1, "ONE"], [2, "none"]])
  }

  @Test func `a path over a relationship that moved to the superentity leads on in its version`()
    throws
  {
    func model(
      _ root: [RelationshipDescription],
      _ own: [RelationshipDescription]
    ) throws
      -> ManagedObjectModel
    {
      try .of(
        .init("Item", isAbstract: true, [], root),
        .init("Note", under: "Item", [], own),
        .init("Page", [], [.toOne("item", "Item")]),
        .init("Tag")
      )
    }
    let tag = RelationshipDescription.toOne("tag", "Tag")
    let chain = try chain(
      TestStore(
        try model([], [tag]),
        TestObject("Page", 1, links: ["item": [1]]),
        TestObject("Note", 1, links: ["tag": [1]])
      ),
      (try model([tag], []), nil),
      (
        try .of(EntityDescription("Page", [], [.toOne("tag", "Tag")]), .init("Tag")),
        Self.mapping(
          try .of("Page", "Page", [:], ["tag": instances("TagToTag", "$source.item.tag")]),
          try .of("Tag", "Tag")
        )
      )
    )
    #expect(
      try reasons(chain) == [
        "PageToPage, relationship tag leads on from subentities alone before v1"
      ]
    )
    #expect(try chain.fused("fused").rows(of: "ZPAGE", "Z_PK", "ZTAG") == [[1, 1]])
  }

  @Test func `members whose inverse continues another relationship are those of its version`()
    throws
  {
    func model(_ inverse: String, _ others: EntityDescription...) throws -> ManagedObjectModel {
      let owner = RelationshipDescription.toOne("owner", "Folder.notes")
      let stock = RelationshipDescription.toOne("place", "Shelf.stock")
      let place = RelationshipDescription.toOne("place", "Folder.notes")
      return try ManagedObjectModel(
        entities: [
          .init("Folder", [], [.toMany("notes", "Note.\(inverse)")]),
          .init("Note", [.optional("title")], inverse == "owner" ? [owner, stock] : [place]),
        ] + others
      )
    }
    let shelf = EntityDescription("Shelf", [], [.toMany("stock", "Note.place")])
    let chain = try chain(
      TestStore(
        try model("owner", shelf),
        TestObject("Folder", 1),
        TestObject("Shelf", 1),
        TestObject("Note", 1, ["title": .string("one")], links: ["owner": [1], "place": [1]])
      ),
      (try model("place", EntityDescription("Shelf")), nil),
      (
        try .of(EntityDescription("Folder")),
        Self.mapping(try .of("Folder", "Folder", where: "ANY notes.title == 'one'", [:]))
      )
    )
    #expect(try reasons(chain) == ["the two sides of Folder.notes differ in v1"])
    #expect(try chain.fused("fused").rows(of: "ZFOLDER", "Z_PK") == [])
  }

  @Test func `numbers that a version converts are read where they are converted`() throws {
    let chain = try chain(
      TestStore(
        try Self.note(.optional("size", .integer64)),
        TestObject("Note", 1, ["size": .integer(3)])
      ),
      (try Self.note(.optional("size", .double)), nil),
      try Self.step(.optional("kind"), by: ["kind": "TERNARY($source.size == 3, 'some', 'none')"])
    )
    #expect(try reasons(chain) == ["the column of Note.size in v1 converts its numbers"])
    #expect(try chain.fused("fused").rows(of: "ZNOTE", "ZKIND") == [["some"]])
  }

  @Test func `policies see the objects of their versions`() throws {
    let mapping = Self.mapping(try .of("Note", "Note", policy: "App.Policy"))
    let step = (model: try Self.note(.optional("text", id: "title")), mapping: nil as MappingModel?)
    let next = (model: try Self.note(.optional("word")), mapping: mapping as MappingModel?)
    let source = try Self.note(.optional("title"))
    #expect(
      try reasons(try chain(Self.notes(source), step, next))
        == ["policy App.Policy makes objects of v2 one by one"]
    )
  }

  @Test func `a value in a file is refused where a version on the way allows none`() throws {
    var image = AttributeDescription.optional("image", .binaryData)
    let inRow = image
    image.allowsExternalBinaryDataStorage = true
    var store = TestStore(try Self.note(.optional("title"), image), TestObject("Note", 1))
    // A byte 2, a name and a NUL stand for a value in a file (formats/store.md 11.11).
    store.sql = [
      "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(TestStore.uuid)' || x'00' AS BLOB)"
    ]
    let chain = try chain(
      store,
      (try Self.note(.optional("title"), inRow), nil),
      try Self.step(.optional("title"), by: ["title": "$source.title"])
    )
    #expect(try chain.legs().count == 1)
    #expect(throws: PlanError.self) { try chain.fused("fused") }
    #expect(throws: PlanError.self) { try chain.stepwise("stepwise") }
  }

  @Test func `a constraint of one version alone is held against its rows`() throws {
    let chain = try chain(
      Self.notes(try Self.note(.optional("title")), "same", "same"),
      (try Self.note(.optional("title"), unique: [["title"]]), nil),
      try Self.step(.optional("title"), by: ["title": "$source.title"])
    )
    #expect(
      try reasons(chain) == [
        "ZNOTE has unique ZTITLE in the version before v2 only, which its rows must show"
      ]
    )
    #expect(throws: (any Error).self) { try chain.fused("fused") }
  }
}
