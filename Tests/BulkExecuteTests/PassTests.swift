import BulkTestSupport
import Testing

/// A store of entities that can be migrated by several mapping files, in a folder of its own.
private struct Divided {
  let directory = TemporaryDirectory()
  private let store: TestStore
  private let source: StoreFile

  init(_ store: TestStore, to destination: ManagedObjectModel) throws {
    self.store = store
    source = try store.write(to: directory.path("source.sqlite"))
    try TestStore.write(store.model, to: directory.path("source.mom"))
    try TestStore.write(destination, to: directory.path("destination.mom"))
  }

  func write(_ mappings: [EntityMapping], to name: String) throws {
    try write(MappingModel(entityMappings: mappings).json, to: name)
  }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: directory.path(name), atomically: true, encoding: .utf8)
  }

  func plan(_ files: [String]) throws -> MigrationPlan {
    var request = PlanRequest(in: directory)
    request.mappingFiles = files.map { directory.path($0) }
    return try Planner.plan(request)
  }

  /// Carries out a plan, and puts what it made under another name, so that others can be carried out.
  func run(
    _ plan: MigrationPlan,
    policies: [String: any EntityMigrationPolicy] = [:]
  ) throws -> StoreFile {
    var migration = Migration(inTestProcess: plan)
    migration.policies = PolicyRegistry(policies)
    _ = try migration.run()
    let count = try directory.contents().count
    let made = StoreFile(directory.path("made-\(count).sqlite"), keeping: directory)
    try FileManager.default.moveItem(atPath: plan.destination.store, toPath: made.path)
    #expect(try made.integrity() == [["ok"]])
    return made
  }

  func bytes(_ plan: MigrationPlan) throws -> [UInt8] { try Files.read(try run(plan).path) }
}

struct PassTests {
  // MARK: The order of files

  /// Forty pairs of entities, a one-to-many relationship in each.
  private static func pairs() throws -> Divided {
    let entities = (0..<40).flatMap { number in
      [
        EntityDescription(
          "Owner\(number)",
          [.optional("name")],
          [.toMany("members", "Member\(number).owner")]
        ),
        EntityDescription(
          "Member\(number)",
          [.optional("name")],
          [.toOne("owner", "Owner\(number).members")]
        ),
      ]
    }
    let model = try ManagedObjectModel(entities: entities)
    var store = TestStore(model)
    store.objects = (0..<40).flatMap { number in
      [
        TestObject("Owner\(number)", 1, ["name": "o"], links: ["members": [1, 3]]),
        TestObject("Member\(number)", 1, ["name": "a"]),
        TestObject("Member\(number)", 3, ["name": "b"]),
      ]
    }
    let divided = try Divided(store, to: model)
    for part in 0..<4 {
      let mappings = try (0..<40).filter { $0 % 4 == part }.flatMap { number in
        [
          try EntityMapping.of(
            "Member\(number)",
            "Member\(number)",
            ["name": "uppercase:($source.name)"]
          ),
          try EntityMapping.of(
            "Owner\(number)",
            "Owner\(number)",
            ["name": "$source.name"],
            ["members": instances("Member\(number)ToMember\(number)", "$source.members")]
          ),
        ]
      }
      try divided.write(mappings, to: "\(part).json")
    }
    return divided
  }

  @Test func `independent files give the same bytes in whatever order they are given`() throws {
    let divided = try Self.pairs()
    let files = ["0.json", "1.json", "2.json", "3.json"]
    let plan = try divided.plan(files)
    // Each of the pairs is a pass.
    #expect(plan.passes.count == 40)
    #expect(plan.passes.map(\.rows).allSatisfy { $0 == 3 })
    #expect(plan.passes[0].name == "0.Member0")
    let bytes = try divided.bytes(plan)
    for order in [[3, 2, 1, 0], [1, 3, 0, 2]] {
      let other = try divided.plan(order.map { files[$0] })
      #expect(other.passes == plan.passes)
      #expect(try divided.bytes(other) == bytes)
    }
  }

  // MARK: Files that are connected

  private static let library: ManagedObjectModel? = try? .of(
    .init("Author", [.optional("name")], [.toMany("books", "Book.authors")]),
    .init(
      "Book",
      [.optional("title")],
      [.toMany("authors", "Author.books"), .toOne("shelf", "Shelf.books")]
    ),
    .init("Shelf", [.optional("place")], [.toMany("books", "Book.shelf")])
  )

  /// Mappings with filters, so that what was made is known from association tables alone.
  private static func mappings() throws -> [EntityMapping] {
    [
      try .of(
        "Author",
        "Author",
        ["name": "$source.name"],
        ["books": instances("BookToBook", "$source.books")]
      ),
      try .of(
        "Book",
        "Book",
        where: "title != \"z\"",
        ["title": "$source.title"],
        [
          "authors": instances("AuthorToAuthor", "$source.authors"),
          "shelf": instances("ShelfToShelf", "$source.shelf"),
        ]
      ),
      try .of(
        "Shelf",
        "Shelf",
        where: "place != \"none\"",
        ["place": "$source.place"],
        ["books": instances("BookToBook", "$source.books")]
      ),
    ]
  }

  private static func books() throws -> Divided {
    let model = try #require(library)
    let store = TestStore(
      model,
      TestObject("Author", 1, ["name": "Ann"]),
      TestObject("Author", 2, ["name": "Bob"]),
      TestObject("Book", 1, ["title": "x"], links: ["authors": [1, 2], "shelf": [5]]),
      TestObject("Book", 4, ["title": "y"], links: ["authors": [2], "shelf": [6]]),
      TestObject("Shelf", 5, ["place": "left"]),
      TestObject("Shelf", 6, ["place": "right"])
    )
    let divided = try Divided(store, to: model)
    for (name, mapping) in zip(["Authors", "Books", "Shelves"], try mappings()) {
      try divided.write([mapping], to: "\(name).json")
    }
    return divided
  }

  @Test(arguments: [
    ["Authors.json", "Books.json", "Shelves.json"], ["Shelves.json", "Authors.json", "Books.json"],
    ["Books.json", "Shelves.json", "Authors.json"],
  ])
  func `relationships lead from the objects of one file to those of another`(
    files: [String]
  ) throws {
    let divided = try Self.books()
    let plan = try divided.plan(files)
    #expect(plan.passes.map(\.name) == files.map { $0.replacing(".json", with: "") })
    #expect(plan.steps[0].mapping.files == files.map { divided.directory.path($0) })
    let made = try divided.run(plan)
    #expect(
      try made.rows(of: "ZBOOK", "Z_PK", "ZSHELF", "ZTITLE") == [[1, 5, "x"], [4, 6, "y"]]
    )
    #expect(
      try made.rows(of: "Z_1BOOKS", "Z_1AUTHORS", "Z_2BOOKS") == [[1, 1], [2, 1], [2, 4]]
    )
  }

  // MARK: Passes by hand

  @Test(arguments: [
    (#"[["Author"], ["Book"], ["Shelf"]]"#, ["Author", "Book", "Shelf"]),
    (#"[["Shelf", "Author"], ["Book"]]"#, ["Shelf", "Book"]),
    (#"[["Book"]]"#, ["Book", "Author", "Shelf"]),
  ])
  func `a file divides the work, and the same store comes out`(
    passes: String,
    names: [String]
  ) throws {
    let divided = try Self.books()
    try divided.write(
      """
      { "bulkmigrate": "mapping/1", "mappings": ["Authors.json", "Books.json", "Shelves.json"],
        "passes": \(passes) }
      """,
      to: "all.json"
    )
    let plan = try divided.plan(["all.json"])
    #expect(plan.passes.map(\.name) == names)
    let whole = try divided.run(
      try divided.plan(["Authors.json", "Books.json", "Shelves.json"])
    )
    #expect(try divided.run(plan).meaning() == whole.meaning())
  }

  /// Two mappings into one table, whose rows depend on one another.
  private static func shared(_ kind: String) throws -> [EntityMapping] {
    let elements =
      kind.contains("divided")
      ? #"FUNCTION($source.name, "componentsSeparatedByString:", ",")"# : nil
    let name = elements == nil ? "$source.name" : "$element"
    return try ["A", "B"].map {
      try .of(
        $0,
        "Tag",
        where: kind.contains("filtered") ? "name != 'y'" : nil,
        forEach: elements,
        unique: kind.contains("found") ? ["name"] : nil,
        ["name": kind.contains("evaluated") ? "uppercase:(\(name))" : name]
      )
    } + [.of("C", "C")]
  }

  @Test(
    arguments: [
      "copied", "evaluated", "filtered", "found", "found, filtered, evaluated", "divided",
      "divided, found",
    ],
    [
      #"[["B"], ["A"]]"#, #"[["B"], ["C"], ["A"]]"#, #"[["A"], ["C"], ["B"]]"#,
      #"[["C", "B"], ["A"]]"#,
    ]
  )
  func `passes in any order make the rows that no passes make`(
    kind: String,
    passes: String
  ) throws {
    let source = ["A", "B", "C"].map { EntityDescription($0, [.optional("name")]) }
    var store = TestStore(try ManagedObjectModel(entities: source))
    for (entity, names) in [("A", ["x", "y", "x,z"]), ("B", ["z", "y", "w"]), ("C", ["c"])] {
      store.objects += names.enumerated().map {
        TestObject(entity, Int64($0) + 1, ["name": .string($1)])
      }
    }
    let divided = try Divided(
      store,
      to: .of(EntityDescription("Tag", [.optional("name")]), .init("C"))
    )
    try divided.write(try Self.shared(kind), to: "all.json")
    try divided.write(
      #"{ "bulkmigrate": "mapping/1", "mappings": ["all.json"], "passes": \#(passes) }"#,
      to: "divided.json"
    )
    let plan = try divided.plan(["divided.json"])
    #expect(plan.passes.count > 1)
    let whole = try divided.run(try divided.plan(["all.json"]))
    let tags = try whole.rows(of: "ZTAG")
    #expect(tags.count > 3)
    let made = try divided.run(plan)
    #expect(try made.rows(of: "ZTAG") == tags)
    #expect(try made.rows(of: "Z_PRIMARYKEY") == whole.rows(of: "Z_PRIMARYKEY"))
  }

  @Test func `rows that keep their keys are divided as well`() throws {
    let divided = try Self.books()
    try divided.write(
      #"{ "bulkmigrate": "mapping/1", "passes": [["Shelf"], ["Book"]] }"#,
      to: "all.json"
    )
    var entities = try #require(Self.library).entities
    entities[0].attributes.append(.optional("age", .integer16))
    let destination = divided.directory.path("destination.mom")
    try TestStore.write(ManagedObjectModel(entities: entities), to: destination)
    let plan = try divided.plan(["all.json"])
    #expect(plan.passes.map(\.name) == ["Shelf", "Book", "Author"])
    #expect(plan.passes.map(\.rows) == [2, 2, 5])
    #expect(plan.strategy?.reason == "the mapping file divides the work into passes")
    let made = try divided.run(plan)
    #expect(
      try made.rows(of: "Z_1BOOKS", "Z_1AUTHORS", "Z_2BOOKS") == [[1, 1], [2, 1], [2, 4]]
    )
  }

  @Test func `a table is filled once, whichever passes have entities of it`() throws {
    let (name, size) = (
      AttributeDescription.optional("name"), AttributeDescription.optional("size")
    )
    func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
      try .of(
        EntityDescription("Item", isAbstract: true, attributes),
        EntityDescription("Special", under: "Item"),
        EntityDescription("Note", attributes)
      )
    }
    let special = try Divided(
      TestStore(model(name), TestObject("Special", 1, ["name": "a"]), TestObject("Note", 1)),
      to: model(name, size)
    )
    try special.write(
      #"{ "bulkmigrate": "mapping/1", "passes": [["Note"], ["Special"]] }"#,
      to: "all.json"
    )
    let plan = try special.plan(["all.json"])
    #expect(plan.passes.map(\.name) == ["Note", "Special"])
    #expect(try special.run(plan).rows(of: "ZITEM", "Z_PK", "ZNAME") == [[1, "a"]])
  }

  @Test func `a table that is taken over whole is not divided`() throws {
    let model = try ManagedObjectModel.of(
      EntityDescription("Item", [.optional("name")]),
      EntityDescription("Special", under: "Item")
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Item", [.optional("name"), .optional("size", .integer16)]),
      EntityDescription("Special", under: "Item")
    )
    let divided = try Divided(TestStore(model, TestObject("Item", 1)), to: destination)
    try divided.write(
      #"{ "bulkmigrate": "mapping/1", "passes": [["Item"], ["Special"]] }"#,
      to: "all.json"
    )
    let text = failure { try divided.plan(["all.json"]) }
    #expect(
      text.replacing(divided.directory.path + "/", with: "")
        == "all.json:1:53: passes: Special shares its table with Item, so both belong to one "
        + "pass; name them together"
    )
  }
}
