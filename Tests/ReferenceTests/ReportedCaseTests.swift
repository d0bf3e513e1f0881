import Testing

/// Relationships that went wrong once, over every path.
@Suite("Reported cases of relationships")
struct ReportedCaseTests {
  private static func library(isOrdered: Bool = false) -> ModelSketch {
    ModelSketch(
      EntitySketch(
        "Folder",
        .toMany("items", "Item", inverse: "folder"),
        .toOne("first", "Item")
      ),
      EntitySketch(
        "Item",
        .toOne("folder", "Folder", inverse: "items"),
        .toOne("next", "Item", inverse: "prev"),
        .toMany("prev", "Item", inverse: "next", isOrdered: isOrdered),
        .toOne("twin", "Item", inverse: "twinOf"),
        .toOne("twinOf", "Item", inverse: "twin"),
        .toMany("likes", "Item", inverse: "likedBy"),
        .toMany("likedBy", "Item", inverse: "likes")
      ),
      EntitySketch("Special", under: "Item")
    )
  }

  private static func expect(
    _ scenario: Scenario,
    _ path: MigrationPath,
    _ expected: [String: [String: [String]]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let reference = try scenario.reference()
    for (name, links) in expected {
      #expect(reference.links(of: name) == links, sourceLocation: sourceLocation)
    }
    let differences = try Trial.verdict(on: scenario, by: path).differences
    #expect(differences == [], sourceLocation: sourceLocation)
  }

  // MARK: Who made an object

  /// Item 1 leads to item 2, that to the special item 3, that to item 1; all have the number 1.
  private static func named(_ special: FilterSketch) -> Scenario {
    func mapping(_ name: String, _ entity: String, _ filter: FilterSketch) -> MappingSketch {
      MappingSketch(
        name,
        from: entity,
        to: entity,
        where: filter,
        .set("next", .made(by: "SpecialToSpecial", "next")),
        .set("likes", .made(by: "SpecialToSpecial", "likes"))
      )
    }
    return Scenario(
      library(),
      [
        ObjectSketch("Item", 1, n: 1, ["next": 2]),
        ObjectSketch("Item", 2, n: 1, ["next": 3]),
        ObjectSketch("Special", 3, n: 1, ["next": 1]),
      ],
      pairs: [PairSketch("likes", 1, 2), PairSketch("likes", 1, 3)],
      StepSketch(
        to: library(),
        mapping("ItemToItem", "Item", .above(0)),
        mapping("SpecialToSpecial", "Special", special)
      )
    )
  }

  @Test(arguments: MigrationPath.ofOneStep)
  func `a named mapping gives no objects of another one`(path: MigrationPath) throws {
    try Self.expect(
      Self.named(.above(0)),
      path,
      [
        "next": ["Item 2 by ItemToItem": ["Special 3 by SpecialToSpecial"]],
        "prev": ["Special 3 by SpecialToSpecial": ["Item 2 by ItemToItem"]],
        "likes": ["Item 1 by ItemToItem": ["Special 3 by SpecialToSpecial"]],
      ]
    )
  }

  @Test(arguments: MigrationPath.ofOneStep)
  func `a mapping that made nothing gives no objects`(path: MigrationPath) throws {
    try Self.expect(Self.named(.above(5)), path, ["next": [:], "likes": [:]])
  }

  // MARK: The first of several

  private static func first(_ mapping: String) -> Scenario {
    Scenario(
      library(),
      [
        ObjectSketch("Folder", 1),
        ObjectSketch("Item", 1, n: 1, ["folder": 1]),
        ObjectSketch("Item", 2, n: 2, ["folder": 1]),
        ObjectSketch("Special", 3, n: 2, ["folder": 1]),
        ObjectSketch("Special", 4, n: 2, ["folder": 1]),
      ],
      StepSketch(
        to: library(),
        MappingSketch(
          "FolderToFolder",
          from: "Folder",
          to: "Folder",
          .set("first", .made(by: mapping, "items"), takesFirst: true)
        ),
        MappingSketch("ItemToItem", from: "Item", to: "Item", where: .above(1)),
        MappingSketch("SpecialToSpecial", from: "Special", to: "Special")
      )
    )
  }

  @Test(arguments: MigrationPath.ofOneStep)
  func `the first of several is the first that is made`(path: MigrationPath) throws {
    try Self.expect(
      Self.first("ItemToItem"),
      path,
      ["first": ["Folder 1 by FolderToFolder": ["Item 2 by ItemToItem"]]]
    )
  }

  @Test(arguments: MigrationPath.ofOneStep)
  func `the first of several is the first that the named mapping made`(path: MigrationPath) throws {
    try Self.expect(
      Self.first("SpecialToSpecial"),
      path,
      ["first": ["Folder 1 by FolderToFolder": ["Special 3 by SpecialToSpecial"]]]
    )
  }

  /// The to-many side becomes one to one: of the items of a folder one remains.
  @Test(arguments: MigrationPath.ofOneStep)
  func `the only pair that is left counts from the partner's side as well`(
    path: MigrationPath
  ) throws {
    let cover = ModelSketch(
      EntitySketch("Folder", .toOne("cover", "Item", inverse: "coverOf")),
      EntitySketch("Item", .toOne("coverOf", "Folder", inverse: "cover")),
      EntitySketch("Special", under: "Item")
    )
    var scenario = Self.first("ItemToItem")
    scenario.steps = [
      StepSketch(
        to: cover,
        MappingSketch("FolderToFolder", from: "Folder", to: "Folder"),
        MappingSketch(
          "ItemToItem",
          from: "Item",
          to: "Item",
          where: .above(1),
          .set("coverOf", .made(by: "FolderToFolder", "folder"))
        )
      )
    ]
    try Self.expect(
      scenario,
      path,
      [
        "cover": ["Folder 1 by FolderToFolder": ["Item 2 by ItemToItem"]],
        "coverOf": ["Item 2 by ItemToItem": ["Folder 1 by FolderToFolder"]],
      ]
    )
  }

  // MARK: Inverses

  @Test(arguments: MigrationPath.ofOneStep)
  func `of several objects that set one partner the last has it`(path: MigrationPath) throws {
    let scenario = Scenario(
      Self.library(),
      [
        ObjectSketch("Item", 1, n: 1, ["twin": 2]),
        ObjectSketch("Item", 2, ["twinOf": 1]),
      ],
      StepSketch(
        to: Self.library(),
        MappingSketch(
          "ItemToItem",
          from: "Item",
          to: "Item",
          .set("twin", .made(by: "ItemToItem", "twin"))
        ),
        MappingSketch(
          "ItemToSpecial",
          from: "Item",
          to: "Special",
          where: .hasNumber,
          .set("twin", .made(by: "ItemToItem", "twin"))
        )
      )
    )
    try Self.expect(
      scenario,
      path,
      [
        "twin": ["Item 1 by ItemToSpecial": ["Item 2 by ItemToItem"]],
        "twinOf": ["Item 2 by ItemToItem": ["Item 1 by ItemToSpecial"]],
      ]
    )
  }

  /// A later assignment to many names another object, and none takes anything away.
  @Test(arguments: MigrationPath.ofOneStep)
  func `what both sides name is united (formats/migration.md 8.10)`(path: MigrationPath) throws {
    let scenario = Scenario(
      Self.library(),
      [
        ObjectSketch("Folder", 1),
        ObjectSketch("Item", 2, ["folder": 1]),
        ObjectSketch("Special", 3, ["folder": 1]),
      ],
      pairs: [PairSketch("likes", 2, 3)],
      StepSketch(
        to: Self.library(),
        MappingSketch(
          "ItemToItem",
          from: "Item",
          to: "Item",
          .set("folder", .made(by: "FolderToFolder", "folder")),
          .set("likedBy", .made(by: "SpecialToSpecial", "likes")),
          .set("likes", .made(by: "SpecialToSpecial", "likes"))
        ),
        MappingSketch(
          "SpecialToSpecial",
          from: "Special",
          to: "Special",
          .set("likes", .made(by: "SpecialToSpecial", "likes"))
        ),
        MappingSketch(
          "FolderToFolder",
          from: "Folder",
          to: "Folder",
          .set("items", .made(by: "SpecialToSpecial", "items"))
        )
      )
    )
    try Self.expect(
      scenario,
      path,
      [
        "items": [
          "Folder 1 by FolderToFolder": ["Item 2 by ItemToItem", "Special 3 by SpecialToSpecial"]
        ],
        "likes": [
          "Item 2 by ItemToItem": ["Special 3 by SpecialToSpecial"],
          "Special 3 by SpecialToSpecial": ["Item 2 by ItemToItem"],
        ],
      ]
    )
  }

  @Test(arguments: MigrationPath.ofOneStep)
  func `an order key becomes nil with its key`(path: MigrationPath) throws {
    let model = Self.library(isOrdered: true)
    let scenario = Scenario(
      model,
      [
        ObjectSketch("Item", 1, n: 1, ["next": 2], places: ["next": 2048]),
        ObjectSketch("Item", 2),
        ObjectSketch("Item", 3, n: 1, ["next": 77], places: ["next": 2048]),
        ObjectSketch("Item", 4, n: 1, places: ["next": 2048]),
        ObjectSketch("Item", 5, n: 1, ["next": 4], places: ["next": 3072]),
      ],
      StepSketch(
        to: model,
        MappingSketch(
          "ItemToItem",
          from: "Item",
          to: "Item",
          where: .hasNumber,
          .set("next", .made(by: "ItemToItem", "next"))
        )
      )
    )
    try Self.expect(
      scenario,
      path,
      ["prev": ["Item 4 by ItemToItem": ["Item 5 by ItemToItem"]]]
    )
  }

  // MARK: Any mapping

  @Test(arguments: MigrationPath.ofOneStep)
  func `the objects of all mappings come in the order of the mappings`(path: MigrationPath) throws {
    let scenario = Scenario(
      Self.library(),
      [
        ObjectSketch("Folder", 1),
        ObjectSketch("Item", 1, ["folder": 1]),
        ObjectSketch("Item", 2, n: 1, ["folder": 1]),
      ],
      pairs: [PairSketch("likes", 1, 2)],
      StepSketch(
        to: Self.library(),
        MappingSketch("ItemToSpecial", from: "Item", to: "Special", where: .hasNumber),
        MappingSketch(
          "FolderToFolder",
          from: "Folder",
          to: "Folder",
          .set("items", .madeByAny("items")),
          .set("first", .madeByAny("items"))
        ),
        MappingSketch(
          "ItemToItem",
          from: "Item",
          to: "Item",
          .set("likes", .madeByAny("likes"))
        )
      )
    )
    try Self.expect(
      scenario,
      path,
      [
        "items": [
          "Folder 1 by FolderToFolder": [
            "Item 1 by ItemToItem", "Item 2 by ItemToItem", "Item 2 by ItemToSpecial",
          ]
        ],
        "first": ["Folder 1 by FolderToFolder": ["Item 1 by ItemToItem"]],
        "likes": ["Item 1 by ItemToItem": ["Item 2 by ItemToItem", "Item 2 by ItemToSpecial"]],
      ]
    )
  }
}
