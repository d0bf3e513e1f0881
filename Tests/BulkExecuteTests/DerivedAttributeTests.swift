import BulkTestSupport
import Testing

struct DerivedAttributeTests {
  private static func folders(derived: Bool) throws -> ManagedObjectModel {
    let count = try Self.derived(("noteCount", .integer64, "count:(notes)"))
    let name = try Self.derived(("folderName", .string, "folder.name"))
    return try .of(
      .init(
        "Folder",
        [.optional("name")] + (derived ? count : []),
        [.toMany("notes", "Note.folder")]
      ),
      .init("Note", derived ? name : [], [.toOne("folder", "Folder.notes")])
    )
  }

  // formats/store.md 9.1 and formats/migration.md 7.1
  @Test func `derived attributes that are new are computed from the destination's rows`() throws {
    let store = TestStore(
      try Self.folders(derived: false),
      TestObject("Folder", 1, ["name": "f"], links: ["notes": [1, 2]]),
      TestObject("Folder", 2),
      TestObject("Note", 3)
    )
    let made = try migrate(store, to: Self.folders(derived: true)).destination
    #expect(
      try made.rows(of: "ZFOLDER", "Z_PK", "ZNOTECOUNT", "ZNAME") == [[1, 2, "f"], [2, 0, nil]]
    )
    #expect(
      try made.rows(of: "ZNOTE", "Z_PK", "ZFOLDERNAME") == [[1, "f"], [2, "f"], [3, nil]]
    )
    #expect(
      try made.names(of: "trigger") == [
        "Z_DA_ZFOLDER_Folder_noteCount_SOURCE_INSERT",
        "Z_DA_ZFOLDER_Note_folderName_PARAMETER_INSERT",
        "Z_DA_ZFOLDER_Note_folderName_PARAMETER_UPDATE",
        "Z_DA_ZNOTE_Folder_noteCount_PARAMETER_DELETE",
        "Z_DA_ZNOTE_Folder_noteCount_PARAMETER_INSERT",
        "Z_DA_ZNOTE_Folder_noteCount_PARAMETER_UPDATE_DECREMENT",
        "Z_DA_ZNOTE_Folder_noteCount_PARAMETER_UPDATE_INCREMENT",
        "Z_DA_ZNOTE_Note_folderName_SOURCE_INSERT",
        "Z_DA_ZNOTE_Note_folderName_SOURCE_UPDATE",
      ]
    )
  }

  // formats/migration.md 7.1
  @Test func `derived attributes that stay are computed too`() throws {
    let store = TestStore(
      try Self.folders(derived: true),
      TestObject("Folder", 1, ["name": "f", "noteCount": 77], links: ["notes": [1]]),
      TestObject("Note", 1, ["folderName": "old"])
    )
    var entities = try Self.folders(derived: true).entities
    entities[0].attributes.append(.optional("colour"))
    let made = try migrate(store, to: ManagedObjectModel(entities: entities)).destination
    #expect(try made.rows(of: "ZFOLDER", "ZNOTECOUNT") == [[1]])
    #expect(try made.rows(of: "ZNOTE", "ZFOLDERNAME") == [["f"]])
  }

  // MARK: All kinds

  private static func derived(
    _ attributes: (String, AttributeType, String)...
  ) throws
    -> [AttributeDescription]
  { try attributes.map { .derived($0, $1, try ValueExpression(format: $2)) } }

  /// Items of owners, which have labels; an item inherits.
  private static func model(
    item: [AttributeDescription] = [],
    price: AttributeDescription = .optional("price", .double),
    owner: [AttributeDescription] = []
  ) throws -> ManagedObjectModel {
    try .of(
      .init("Thing", [.optional("name")]),
      .init(
        "Item",
        under: "Thing",
        [
          price, .optional("number", .integer32),
          .optional("day", .date), .optional("isDone", .boolean),
        ] + item,
        [.toOne("owner", "Owner.items")]
      ),
      .init(
        "Owner",
        [.optional("name")] + owner,
        [.toMany("items", "Item.owner"), .toMany("labels", "Label.owners")]
      ),
      .init("Label", [], [.toMany("owners", "Owner.labels")])
    )
  }

  private static func store(_ model: ManagedObjectModel) -> TestStore {
    TestStore(
      model,
      TestObject("Thing", 9, ["name": "Thing"]),
      TestObject(
        "Item",
        1,
        [
          "name": "Ärger", "price": .double(1.5), "number": 3, "day": .date(10),
          "isDone": .boolean(true),
        ]
      ),
      TestObject("Item", 2, ["number": -2, "isDone": .boolean(false)]),
      TestObject(
        "Item",
        3,
        ["name": "ΣΑΣ", "price": .double(2.25), "day": .date(5), "isDone": .boolean(true)]
      ),
      TestObject("Item", 4, ["name": "alone", "price": .double(100)]),
      TestObject("Owner", 1, ["name": "Öl"], links: ["items": [1, 2, 3], "labels": [1, 2]]),
      TestObject("Owner", 2),
    )
  }

  // formats/store.md 9.1 and formats/migration.md 7.1
  @Test func `texts are derived from the object and from the one to which it leads`() throws {
    let attributes = try Self.derived(
      ("same", .string, "name"),
      ("upper", .string, "uppercase:(name)"),
      ("lower", .string, "lowercase:(name)"),
      ("plain", .string, "canonical:(name)"),
      ("ownerName", .string, "owner.name"),
      ("ownerPlain", .string, "canonical:(owner.name)")
    )
    let made = try migrate(Self.store(Self.model()), to: Self.model(item: attributes)).destination
    #expect(
      try made.rows(
        of: "ZTHING",
        "ZSAME",
        "ZUPPER",
        "ZLOWER",
        "ZPLAIN",
        "ZOWNERNAME",
        "ZOWNERPLAIN"
      ) == [
        ["Ärger", "ÄRGER", "ärger", "arger", "Öl", "ol"], [nil, nil, nil, nil, "Öl", "ol"],
        ["ΣΑΣ", "ΣΑΣ", "σας", "σασ", "Öl", "ol"],
        ["alone", "ALONE", "alone", "alone", nil, nil],
        // Things have no such attributes.
        [nil, nil, nil, nil, nil, nil],
      ]
    )
  }

  private static func totals() throws -> [AttributeDescription] {
    try derived(
      ("number", .integer64, "items.@count"),
      ("total", .double, "sum:(items.price)"),
      ("least", .integer32, "min:(items.number)"),
      ("latest", .date, "items.@max.day"),
      ("done", .integer32, "count:(items.isDone)"),
      ("labelled", .integer32, "labels.@count")
    )
  }

  private static let totalColumns = "ZNUMBER, ZTOTAL, ZLEAST, ZLATEST, ZDONE, ZLABELLED"

  // formats/store.md 9.1 and formats/migration.md 7.1
  @Test func `members are counted, added up and compared`() throws {
    let made = try migrate(Self.store(Self.model()), to: Self.model(owner: Self.totals()))
    #expect(
      try made.destination.rows("SELECT \(Self.totalColumns) FROM ZOWNER ORDER BY Z_PK") == [
        [3, 3.75, -2, 10, 2, 2], [0, 0.0, nil, nil, 0, 0],
      ]
    )
  }

  @Test func `objects that are left out do not count`() throws {
    let planned = try Planned(
      Self.store(Self.model()),
      to: Self.model(price: .required("price", .double), owner: Self.totals()),
      by: [
        .of(
          "Item",
          "Item",
          ["price": "$source.price", "number": "$source.number", "isDone": "$source.isDone"],
          ["owner": instances("OwnerToOwner", "$source.owner")]
        ),
        .of("Owner", "Owner"),
      ]
    )
    #expect(try planned.run { $0.rejects = RejectPolicy(.quarantine) }.rejected == 1)
    let made = planned.made
    #expect(
      try made.rows("SELECT \(Self.totalColumns) FROM ZOWNER ORDER BY Z_PK") == [
        [2, 3.75, 3, nil, 2, 0], [0, 0.0, nil, nil, 0, 0],
      ]
    )
  }

  @Test func `the time is that of the plan, and random numbers follow from the keys`() throws {
    let attributes = try Self.derived(
      ("time", .date, "now()"),
      ("chance", .integer32, "random()"),
      ("coin", .boolean, "random()")
    )
    var request = PlanRequest()
    request.now = 600
    let planned = try Planned(
      Self.store(Self.model()),
      to: Self.model(owner: attributes),
      by: [.of("Owner", "Owner")],
      request
    )
    let made = try migrated(planned).destination
    // SplitMix64 over the bytes of "Owner.chance" and the key, as computed by another program.
    #expect(
      try made.rows(of: "ZOWNER", "ZTIME", "ZCHANCE", "ZCOIN") == [
        [600, 194813475, 0], [600, 599929101, 1],
      ]
    )
  }

  // formats/store.md 9.1: such attributes are error 134097.
  @Test(
    arguments: [
      "canonical:(owner.labels.name)", "items.owner.name", "sum:(labels.name)", "number + 1",
      "average:(items.price)", "other", "uppercase:(items)",
      // With a filter.
      "items.@count",
    ]
  )
  func `an attribute that Core Data does not derive is refused`(expression: String) throws {
    var attributes = try Self.derived(
      ("other", .string, "name"),
      ("wrong", expression == "items.@count" ? .integer64 : .string, expression)
    )
    if expression == "items.@count" { attributes[1].filteringPredicate = .constant(true) }
    #expect(
      try refusal(Self.store(Self.model()), to: Self.model(owner: attributes))
        .contains("Core Data cannot derive Owner.wrong (error 134097); change its derivation")
    )
  }
}
