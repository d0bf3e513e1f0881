import BulkTestSupport
import Testing

/// Attributes and hierarchies that change: formats/migration.md 2.9, 2.12, 3.4, 4.6, 13.12, 13.31, 13.40 and 13.41.
struct AttributeChangeTests {
  @Test func `values of every type arrive as they are stored`() throws {
    let attributes: [AttributeDescription] = [
      .optional("flag", .boolean), .optional("small", .integer16), .optional("large", .integer64),
      .optional("ratio", .double), .optional("share", .float), .optional("price", .decimal),
      .optional("day", .date), .optional("text"), .optional("link", .uri),
      .optional("identifier", .uuid), .optional("bytes", .binaryData),
      .optional("thing", .transformable),
    ]
    let store = TestStore(
      try .of(EntityDescription("Note", attributes + [.optional("gone")])),
      TestObject(
        "Note",
        1,
        [
          "flag": .boolean(true), "small": -32_768, "large": .integer(.max), "ratio": .double(0.5),
          "share": .double(-0.25), "price": .decimal(10.5), "day": .date(86_400), "text": "",
          "link": .uri("https://example.org/"),
          "identifier": .uuid(.init(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))),
          "bytes": .binary([0, 255, 0]), "thing": .binary([]), "gone": "x",
        ]
      )
    )
    let names = [
      "ZFLAG", "ZSMALL", "ZLARGE", "ZRATIO", "ZSHARE", "ZPRICE", "ZDAY", "ZTEXT", "ZLINK",
      "ZIDENTIFIER", "ZBYTES", "ZTHING",
    ]
    let migrated = try migrate(store, to: .of(EntityDescription("Note", attributes)))
    #expect(
      try migrated.destination.rows("SELECT \(names.joined(separator: ", ")) FROM ZNOTE") == [
        [
          1, -32_768, 9_223_372_036_854_775_807, 0.5, -0.25, 10.5, 86_400, "",
          "https://example.org/", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
          [0, 255, 0], [],
        ]
      ]
    )
    #expect(try migrated.destination.columns(of: "ZNOTE").contains("ZGONE") == false)
  }

  @Test func `a value that SQLite alone would take for another stays as it is`() throws {
    var store = TestStore(
      try .of(EntityDescription("Note", [.optional("text"), .optional("day", .date)])),
      TestObject("Note", 1)
    )
    store.sql = ["UPDATE ZNOTE SET ZTEXT = x'00ff', ZDAY = 'yesterday'"]
    let destination = try ManagedObjectModel.of(
      EntityDescription(
        "Note",
        [.optional("text"), .optional("date", .date, id: "day"), .optional("more")]
      )
    )
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZNOTE", "ZTEXT", "ZDATE", "ZMORE")
        == [[[0, 255], "yesterday", nil]]
    )
  }

  @Test func `a new attribute gets its default value, also when it is optional`() throws {
    let store = TestStore(
      try .of(EntityDescription("Note")),
      .each("Note", [:], [:])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription(
        "Note",
        [
          .required("stars", .integer16, default: 3), .optional("text", default: "it's"),
          .optional("nothing"), .required("done", .boolean, default: .boolean(false)),
          .optional("day", .date, default: .date(-1.5)),
          .optional("bytes", .binaryData, default: .binary([7])),
        ]
      )
    )
    #expect(
      try migrate(store, to: destination).destination
        .rows(of: "ZNOTE", "ZDONE", "ZSTARS", "ZDAY", "ZNOTHING", "ZTEXT", "ZBYTES") == [
          [0, 3, -1.5, nil, "it's", [7]], [0, 3, -1.5, nil, "it's", [7]],
        ]
    )
  }

  // formats/migration.md 2.9
  @Test func `nil becomes the default value of an attribute that becomes required`() throws {
    let store = TestStore(
      try .of(EntityDescription("Note", [.optional("title")])),
      .each("Note", ["title": "a"], [:], ["title": ""])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [.required("name", default: "untitled", id: "title")])
    )
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZNOTE", "Z_PK", "ZNAME")
        == [[1, "a"], [2, "untitled"], [3, ""]]
    )
  }

  @Test func `two attributes swap their names and keep their values`() throws {
    let store = TestStore(
      try .of(EntityDescription("Note", [.optional("left"), .optional("right")])),
      TestObject("Note", 1, ["left": "l", "right": "r"])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription(
        "Note",
        [.optional("left", id: "right"), .optional("right", id: "left"), .optional("top")]
      )
    )
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZNOTE", "ZLEFT", "ZRIGHT", "ZTOP")
        == [["r", "l", nil]]
    )
  }

  // MARK: Hierarchies

  private static func animals(
    _ attributes: [AttributeDescription] = [],
    cat: [AttributeDescription] = [],
    dog: [AttributeDescription] = []
  ) throws -> ManagedObjectModel {
    try .of(
      .init("Animal", attributes),
      .init("Cat", under: "Animal", cat),
      .init("Dog", under: "Animal", dog)
    )
  }

  /// An animal, a cat and a dog that become others: what their table holds beside their keys.
  private static func zoo(
    _ model: ManagedObjectModel,
    _ values: [[String: AttributeValue]] = [[:], [:], [:]],
    framework: Int64 = 1251,
    to destination: ManagedObjectModel,
    _ columns: String
  ) throws -> [[StoredValue]] {
    var store = TestStore(
      model,
      TestObject("Animal", 1, values[0]),
      TestObject("Cat", 2, values[1]),
      TestObject("Dog", 3, values[2])
    )
    store.frameworkVersion = framework
    return try migrate(store, to: destination).destination
      .rows("SELECT \(columns) FROM ZANIMAL ORDER BY Z_PK")
  }

  /// formats/migration.md 3.4: pairs 2-27→2-28 and 2-47→2-48 before, 2-88→2-89 and 2-90→2-91 from 977 on.
  // formats/migration.md 3.4
  @Test(
    arguments: [
      (519, nil), (866, nil), (977, 9), (1522, 9),
    ] as [(Int64, StoredValue)]
  )
  func `rows of other entities get a default value from version 977 on`(
    framework: Int64,
    others: StoredValue
  ) throws {
    let destination = try Self.animals(cat: [.required("lives", .integer16, default: 9)])
    #expect(
      try Self.zoo(Self.animals(), framework: framework, to: destination, "ZLIVES")
        == [[others], [9], [others]]
    )
  }

  // formats/migration.md 4.3 and 4.6
  @Test(arguments: [866, 977] as [Int64])
  func `an attribute that moves up or down keeps the values of objects that had and have it`(
    framework: Int64
  ) throws {
    let lives = [AttributeDescription.optional("lives", .integer16)]
    let name = [AttributeDescription.optional("name")]
    let all: [[String: AttributeValue]] = [["name": "a"], ["name": "c"], ["name": "d"]]
    // New to the others.
    #expect(
      try Self.zoo(
        Self.animals(cat: lives),
        [[:], ["lives": 7], [:]],
        framework: framework,
        to: Self.animals([.required("lives", .integer16, default: 1)]),
        "ZLIVES"
      ) == [[1], [7], [1]]
    )
    // From two siblings.
    #expect(
      try Self.zoo(
        Self.animals(cat: name, dog: name),
        [[:], all[1], all[2]],
        framework: framework,
        to: Self.animals(name),
        "ZNAME"
      ) == [[nil], ["c"], ["d"]]
    )
    // Down to one, and to two with a column for each.
    let source = try Self.animals(name)
    #expect(
      try Self.zoo(source, all, framework: framework, to: Self.animals(cat: name), "ZNAME")
        == [[nil], ["c"], [nil]]
    )
    let both = try Self.animals(cat: name, dog: name)
    #expect(
      try Self.zoo(source, all, framework: framework, to: both, "ZNAME, ZNAME1")
        == [[nil, nil], ["c", nil], [nil, "d"]]
    )
  }

  @Test func `an entity that leaves its hierarchy takes its rows to a table of its own`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Animal", [.optional("name")], [.toOne("friend", "Animal")]),
      EntityDescription("Cat", under: "Animal", [.optional("lives", .integer16)]),
      EntityDescription("Owner", [], [.toOne("pet", "Animal"), .toOne("cat", "Cat")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Animal", [.optional("name")], [.toOne("friend", "Animal")]),
      EntityDescription("Cat", [.optional("lives", .integer16), .optional("name")]),
      EntityDescription("Owner", [], [.toOne("pet", "Animal"), .toOne("cat", "Cat")])
    )
    var store = TestStore(
      source,
      TestObject("Animal", 1, ["name": "a"], links: ["friend": [2]]),
      TestObject("Cat", 2, ["name": "c", "lives": 7], version: 4),
      TestObject("Owner", 5, links: ["pet": [1], "cat": [2]]),
      TestObject("Owner", 6, links: ["pet": [2]])
    )
    store.highestKeys = ["Animal": 40]
    let destinationStore = try migrate(store, to: destination).destination
    #expect(try destinationStore.rows(of: "ZANIMAL") == [[1, 1, 1, nil, "a"]])
    #expect(try destinationStore.rows(of: "ZCAT") == [[2, 2, 4, 7, "c"]])
    #expect(try destinationStore.rows(of: "ZOWNER") == [[5, 3, 1, 2, 1], [6, 3, 1, nil, nil]])
    // Neither table may give out a key again that a row of the old table had.
    #expect(
      try destinationStore.rows(of: "Z_PRIMARYKEY")
        == [[1, "Animal", 0, 40], [2, "Cat", 0, 40], [3, "Owner", 0, 6]]
    )
  }

  @Test func `an entity that gets a new parent keeps its rows and keys under the parent's table`()
    throws
  {
    let store = TestStore(
      try .of(EntityDescription("Cat", [.optional("name")], [.toOne("mother", "Cat")])),
      TestObject("Cat", 2, ["name": "c"]),
      TestObject("Cat", 9, ["name": "k"], links: ["mother": [2]])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Animal", isAbstract: true, [.optional("name")]),
      EntityDescription("Cat", under: "Animal", [], [.toOne("mother", "Animal")])
    )
    let made = try migrate(store, to: destination).destination
    #expect(
      try made.columns(of: "ZANIMAL") == [
        "Z_PK", "Z_ENT", "Z_OPT", "ZMOTHER", "Z1_MOTHER", "ZNAME",
      ]
    )
    #expect(try made.rows(of: "ZANIMAL") == [[2, 2, 1, nil, nil, "c"], [9, 2, 1, 2, 2, "k"]])
    #expect(try made.rows(of: "Z_PRIMARYKEY") == [[1, "Animal", 0, 9], [2, "Cat", 1, 0]])
  }

  @Test func `objects of an entity that becomes abstract are refused, and none may be`() throws {
    var store = TestStore(
      try .of(EntityDescription("Animal"), .init("Cat", under: "Animal")),
      TestObject("Cat", 3)
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Animal", isAbstract: true),
      EntityDescription("Cat", under: "Animal")
    )
    #expect(try migrate(store, to: destination).destination.rows(of: "ZANIMAL") == [[3, 2, 1]])
    store.objects += [TestObject("Animal", 1), TestObject("Animal", 2)]
    #expect(
      try refusal(store, to: destination)
        == "2 objects of Animal would become objects of Animal, which is abstract; "
        + "write a mapping model that says what they become"
    )
  }

  // MARK: External storage

  // formats/migration.md 2.12
  @Test func `the byte that says that a value lies in its row comes and goes`() throws {
    func note(_ image: AttributeDescription) throws -> ManagedObjectModel {
      try .of(EntityDescription("Note", [image]))
    }
    func images(
      _ image: AttributeDescription,
      to other: AttributeDescription
    ) throws
      -> [[StoredValue]]
    {
      let store = TestStore(
        try note(image),
        .each("Note", ["image": .binary([0, 255, 2])], ["image": .binary([])], [:])
      )
      return try migrate(store, to: note(other)).destination.rows(of: "ZNOTE", "ZIMAGE")
    }
    let plain = AttributeDescription.optional("image", .binaryData)
    #expect(try images(plain, to: .external("image")) == [[[1, 0, 255, 2]], [[1]], [nil]])
    #expect(try images(.external("image"), to: plain) == [[[0, 255, 2]], [[]], [nil]])
  }

  @Test func `values in files beside the store are refused where they would lose their files`()
    throws
  {
    var store = TestStore(
      try .of(EntityDescription("Note", [.external("image")])),
      .each("Note", ["image": .binary([1])], [:])
    )
    store.sql = [
      "UPDATE ZNOTE SET ZIMAGE = x'02' || CAST('8F4F6C2A-7C9B-4A5E-8D11-6A6C9A1B2C3D' AS BLOB) "
        + "|| x'00' WHERE Z_PK = 2",
      "UPDATE ZNOTE SET ZIMAGE = CAST(ZIMAGE AS BLOB)",
    ]
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("image", .binaryData)])
    )
    #expect(
      try refusal(store, to: destination)
        == "1 value of ZNOTE.ZIMAGE lies in files beside the store, but the destination's attribute "
        + "does not allow external storage; keep it allowed"
    )
  }
}
