import BulkTestSupport
import Testing

/// What is done as one, what is not, and why.
struct BarrierTests {
  private let directory = TemporaryDirectory()

  private func chain(_ store: TestStore, _ models: ManagedObjectModel...) throws -> Chain {
    let path = directory.path("store.sqlite")
    _ = try store.write(to: path)
    return try Chain([store.model] + models, store: path, in: directory)
  }

  private static func note(
    _ attributes: [AttributeDescription],
    _ relationships: [RelationshipDescription] = [],
    unique: [[String]] = []
  ) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", attributes, relationships, unique: unique))
  }

  /// A value comes from the version in which its attribute was added, a default value from the version that requires
  /// one, and an attribute that comes again under its name holds nothing of what it held.
  @Test(
    arguments: [
      (
        [
          [], [.optional("stars", .integer16, default: .integer(3))],
          [.optional("stars", .integer16, default: .integer(5))],
        ], [:], "ZSTARS", 3
      ),
      (
        [
          [.optional("title")], [.required("title", default: .string("first"))],
          [.optional("title")], [.required("title", default: .string("second"))],
        ], [:], "ZTITLE", "first"
      ),
      (
        [[.optional("title")], [], [.optional("title", default: .string("new"))]],
        ["title": .string("old")], "ZTITLE", "new"
      ),
    ] as [([[AttributeDescription]], [String: AttributeValue], String, StoredValue)]
  )
  func `a value is that of the version that gives it`(
    versions: [[AttributeDescription]],
    values: [String: AttributeValue],
    column: String,
    value: StoredValue
  ) throws {
    let models = try versions.map { try Self.note($0) }
    let store = TestStore(models[0], TestObject("Note", 1, values))
    _ = try store.write(to: directory.path("store.sqlite"))
    let chain = try Chain(models, store: directory.path("store.sqlite"), in: directory)
    #expect(try chain.legs().count == 1)
    #expect(try chain.fused("fused").rows(of: "ZNOTE", column) == [[value]])
  }

  /// A thirteenth attribute changes the side that names the table (formats/store.md 6, in a program of its own).
  @Test func `the last version alone names join tables`() throws {
    func users(_ count: Int) throws -> ManagedObjectModel {
      try .of(
        .init(
          "User",
          (0..<count).map { .optional($0 < 10 ? "a0\($0)" : "a\($0)") },
          [.toMany("blocking", "User.blockedBy"), .toMany("blockedBy", "User.blocking")]
        )
      )
    }
    let chain = try chain(
      TestStore(
        try users(11),
        TestObject("User", 1, links: ["blocking": [2]])
      ),
      try users(12),
      try users(13),
      try users(14)
    )
    #expect(try chain.legs().count == 1)
    for made in [try chain.fused("fused"), try chain.stepwise("steps")] {
      #expect(
        try made.tables()
          == ["ZUSER", "Z_1BLOCKEDBY", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"]
      )
      #expect(try made.rows("SELECT Z_1BLOCKEDBY, Z_1BLOCKING FROM Z_1BLOCKEDBY") == [[1, 2]])
    }
  }

  // formats/migration.md 2.6: the column of real numbers rounds 2^53 + 1.
  @Test func `integers that a version rounds to real numbers are rounded`() throws {
    let chain = try chain(
      TestStore(
        try Self.note([.optional("size", .integer64)]),
        TestObject("Note", 1, ["size": .integer(9_007_199_254_740_993)])
      ),
      try Self.note([.optional("size", .double)]),
      try Self.note([.optional("size", .integer64)])
    )
    #expect(
      try chain.legs().map(\.boundary) == [
        [], ["ZNOTE.ZSIZE gets numbers that v1 rounds to real ones"],
      ]
    )
    #expect(try chain.stepwise("steps").rows(of: "ZNOTE", "ZSIZE") == [[9_007_199_254_740_992]])
  }

  @Test func `a required attribute is asked for in every version (2.10)`() throws {
    let chain = try chain(
      TestStore(try Self.note([.optional("title")]), TestObject("Note", 1)),
      try Self.note([.required("title")]),
      try Self.note([.optional("title")])
    )
    #expect(failure { try chain.fused("fused") }.hasPrefix("Note.title is required now"))
  }

  @Test func `an entity that comes again under its name starts empty and from its first key`()
    throws
  {
    let tag = EntityDescription("Tag", [.optional("name")])
    let note = EntityDescription("Note", [.optional("title")])
    let chain = try chain(
      TestStore(try .of(note, tag), TestObject("Tag", 7), TestObject("Note", 2)),
      try .of(note),
      try .of(note, tag)
    )
    #expect(try chain.legs().count == 1)
    let made = try chain.fused("fused")
    #expect(try made.rows(of: "ZTAG") == [])
    #expect(
      try made.rows(of: "Z_PRIMARYKEY", "Z_NAME", "Z_MAX") == [["Note", 2], ["Tag", 0]]
    )
  }

  @Test func `a name that another entity takes over brings only that one's rows`() throws {
    let note = EntityDescription("Note", [.optional("title")])
    let chain = try chain(
      TestStore(
        try .of(note, .init("Tag", [.optional("title")])),
        TestObject("Tag", 7, ["title": .string("tag")]),
        TestObject("Note", 2, ["title": .string("note")])
      ),
      try .of(EntityDescription("Tag", [.optional("title")])),
      try .of(EntityDescription("Note", id: "Tag", [.optional("title")]))
    )
    #expect(try chain.legs().count == 1)
    #expect(try chain.fused("fused").rows(of: "ZNOTE", "Z_PK", "ZTITLE") == [[7, "tag"]])
  }

  @Test func `a relationship that becomes ordered gets its places in a version that is made`()
    throws
  {
    func model(isOrdered: Bool, _ attributes: AttributeDescription...) throws -> ManagedObjectModel
    {
      try .of(
        .init("Folder", attributes, [.toMany("notes", "Note.folder", isOrdered: isOrdered)]),
        .init("Note", [], [.toOne("folder", "Folder.notes")])
      )
    }
    let chain = try chain(
      TestStore(
        try model(isOrdered: false),
        TestObject("Note", 1, links: ["folder": [1]])
      ),
      try model(isOrdered: true),
      try model(isOrdered: true, .optional("name"))
    )
    #expect(
      try chain.legs().map(\.boundary) == [
        [], ["positions in ZNOTE.Z_FOK_FOLDER are given when all rows of v1 are there"],
      ]
    )
    #expect(try chain.fused("fused").bytes() == chain.stepwise("stepwise").bytes())
  }

  @Test func `a constraint of one version alone is asked of its rows`() throws {
    let chain = try chain(
      TestStore(
        try Self.note([.optional("title")]),
        .each("Note", ["title": .string("same")], ["title": .string("same")])
      ),
      try Self.note([.optional("title")], unique: [["title"]]),
      try Self.note([.optional("title"), .optional("stars", .integer16)])
    )
    #expect(
      try chain.legs().map(\.boundary) == [
        [], ["ZNOTE has unique ZTITLE in v1 only, which rows of v1 must show"],
      ]
    )
    #expect(throws: (any Error).self) { try chain.fused("fused") }
  }

  @Test func `a constraint that stays is asked once`() throws {
    let chain = try chain(
      TestStore(try Self.note([.optional("title")]), TestObject("Note", 1)),
      try Self.note([.optional("title")], unique: [["title"]]),
      try Self.note([.optional("title"), .optional("stars", .integer16)], unique: [["title"]])
    )
    #expect(try chain.legs().count == 1)
  }

  @Test func `objects of an entity that is abstract on the way are refused`() throws {
    let chain = try chain(
      TestStore(try Self.note([]), TestObject("Note", 1)),
      try .of(.init("Note", isAbstract: true), .init("Memo", under: "Note")),
      try Self.note([])
    )
    #expect(try chain.legs().count == 1)
    #expect(throws: PlanError.self) { try chain.fused("fused") }
    #expect(throws: PlanError.self) { try chain.stepwise("stepwise") }
  }

  @Test func `steps are done one by one if that is asked for`() throws {
    let chain = try chain(
      TestStore(try Self.note([])),
      try Self.note([.optional("title")]),
      try Self.note([.optional("title"), .optional("text")])
    )
    let models = try chain.models.map { try ModelLocator.model(named: $0) }
    let steps = try zip(models, models.dropFirst()).map {
      try MigrationStep(from: $0, to: $1, mapping: nil)
    }
    let legs = try RouteFusion(steps, of: PersistentStore(path: chain.store), isOn: false).legs
    #expect(legs.map(\.boundary) == [[], ["steps are done one by one, as requested"]])
  }

  @Test func `a plan says what every step changes`() throws {
    let chain = try chain(
      TestStore(try Self.note([.optional("text")]), TestObject("Note", 1)),
      try Self.note([.optional("text"), .optional("title")]),
      try Self.note([.optional("title")])
    )
    let plan = try Planner.plan(
      over: chain.models,
      from: chain.store,
      to: directory.path("made.sqlite")
    )
    #expect(plan.steps.dropFirst().map(\.source.path) == [chain.models[1]])
    #expect(
      plan.passes.flatMap(\.entities).flatMap(\.details) == [
        "v1: attribute title added with nil", "v2: attribute text removed",
      ]
    )
  }
}
