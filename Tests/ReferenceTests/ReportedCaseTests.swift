import BulkTestSupport
import Testing

/// A store and a step, with what some relationships lead to, which went wrong once.
struct ReportedCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let scenario: Scenario
  let expected: [String: [String: [String]]]

  init(_ name: String, _ scenario: Scenario, _ expected: [String: [String: [String]]]) {
    testDescription = name
    self.scenario = scenario
    self.expected = expected
  }

  private static func library(isOrdered: Bool = false) -> ModelSketch {
    ModelSketch(
      EntityDescription("Folder", [], [.toMany("items", "Item.folder"), .toOne("first", "Item")]),
      EntityDescription(
        "Item",
        [],
        [
          .toOne("folder", "Folder.items"),
          .toOne("next", "Item.prev"),
          .toMany("prev", "Item.next", isOrdered: isOrdered),
          .toOne("twin", "Item.twinOf"),
          .toOne("twinOf", "Item.twin"),
          .toMany("likes", "Item.likedBy"),
          .toMany("likedBy", "Item.likes"),
        ]
      ),
      EntityDescription("Special", under: "Item")
    )
  }

  private static func scenario(
    _ objects: [ObjectSketch],
    pairs: [PairSketch] = [],
    to model: ModelSketch? = nil,
    isOrdered: Bool = false,
    _ mappings: MappingSketch...
  ) -> Scenario {
    let library = library(isOrdered: isOrdered)
    let step = StepSketch(model: model ?? library, mappings: mappings)
    return Scenario(model: library, objects: objects, pairs: pairs, step: step)
  }

  /// Item 1 leads to item 2, that to the special item 3, that to item 1; all have the number 1.
  private static func named(_ special: FilterSketch) -> Scenario {
    func mapping(_ entity: String, _ filter: FilterSketch) -> MappingSketch {
      .map(
        entity,
        entity,
        where: filter,
        .set("next", .made(by: "SpecialToSpecial", "next")),
        .set("likes", .made(by: "SpecialToSpecial", "likes"))
      )
    }
    return scenario(
      [
        ObjectSketch("Item", 1, n: 1, ["next": 2]), ObjectSketch("Item", 2, n: 1, ["next": 3]),
        ObjectSketch("Special", 3, n: 1, ["next": 1]),
      ],
      pairs: [PairSketch("likes", 1, 2), PairSketch("likes", 1, 3)],
      mapping("Item", .above(0)),
      mapping("Special", special)
    )
  }

  private static let inFolder = [
    ObjectSketch("Folder", 1), ObjectSketch("Item", 1, n: 1, ["folder": 1]),
    ObjectSketch("Item", 2, n: 2, ["folder": 1]), ObjectSketch("Special", 3, n: 2, ["folder": 1]),
    ObjectSketch("Special", 4, n: 2, ["folder": 1]),
  ]

  private static func first(_ mapping: String) -> Scenario {
    scenario(
      inFolder,
      .map("Folder", "Folder", .set("first", .made(by: mapping, "items"), takesFirst: true)),
      .map("Item", "Item", where: .above(1)),
      .map("Special", "Special")
    )
  }

  private static let cover = ModelSketch(
    EntityDescription("Folder", [], [.toOne("cover", "Item.coverOf")]),
    EntityDescription("Item", [], [.toOne("coverOf", "Folder.cover")]),
    EntityDescription("Special", under: "Item")
  )

  static let all = [
    ReportedCase(
      "a named mapping gives no objects of another one",
      named(.above(0)),
      [
        "next": ["Item 2 by ItemToItem": ["Special 3 by SpecialToSpecial"]],
        "prev": ["Special 3 by SpecialToSpecial": ["Item 2 by ItemToItem"]],
        "likes": ["Item 1 by ItemToItem": ["Special 3 by SpecialToSpecial"]],
      ]
    ),
    ReportedCase(
      "a mapping that made nothing gives no objects",
      named(.above(5)),
      ["next": [:], "likes": [:]]
    ),
    ReportedCase(
      "the first of several is the first that is made",
      first("ItemToItem"),
      ["first": ["Folder 1 by FolderToFolder": ["Item 2 by ItemToItem"]]]
    ),
    ReportedCase(
      "the first of several is the first that the named mapping made",
      first("SpecialToSpecial"),
      ["first": ["Folder 1 by FolderToFolder": ["Special 3 by SpecialToSpecial"]]]
    ),
    // The to-many side becomes one to one: of the items of a folder one remains.
    ReportedCase(
      "the only pair that is left counts from the partner's side as well",
      scenario(
        inFolder,
        to: cover,
        .map("Folder", "Folder"),
        .map(
          "Item",
          "Item",
          where: .above(1),
          .set("coverOf", .made(by: "FolderToFolder", "folder"))
        )
      ),
      [
        "cover": ["Folder 1 by FolderToFolder": ["Item 2 by ItemToItem"]],
        "coverOf": ["Item 2 by ItemToItem": ["Folder 1 by FolderToFolder"]],
      ]
    ),
    ReportedCase(
      "of several objects that set one partner the last has it",
      scenario(
        [ObjectSketch("Item", 1, n: 1, ["twin": 2]), ObjectSketch("Item", 2, ["twinOf": 1])],
        .map("Item", "Item", .set("twin", .made(by: "ItemToItem", "twin"))),
        .map("Item", "Special", where: .hasNumber, .set("twin", .made(by: "ItemToItem", "twin")))
      ),
      [
        "twin": ["Item 1 by ItemToSpecial": ["Item 2 by ItemToItem"]],
        "twinOf": ["Item 2 by ItemToItem": ["Item 1 by ItemToSpecial"]],
      ]
    ),
    // A later assignment to many names another object, and none takes anything away (formats/migration.md 8.10).
    ReportedCase(
      "what both sides name is united",
      scenario(
        [
          ObjectSketch("Folder", 1), ObjectSketch("Item", 2, ["folder": 1]),
          ObjectSketch("Special", 3, ["folder": 1]),
        ],
        pairs: [PairSketch("likes", 2, 3)],
        .map(
          "Item",
          "Item",
          .set("folder", .made(by: "FolderToFolder", "folder")),
          .set("likedBy", .made(by: "SpecialToSpecial", "likes")),
          .set("likes", .made(by: "SpecialToSpecial", "likes"))
        ),
        .map("Special", "Special", .set("likes", .made(by: "SpecialToSpecial", "likes"))),
        .map("Folder", "Folder", .set("items", .made(by: "SpecialToSpecial", "items")))
      ),
      [
        "items": [
          "Folder 1 by FolderToFolder": ["Item 2 by ItemToItem", "Special 3 by SpecialToSpecial"]
        ],
        "likes": [
          "Item 2 by ItemToItem": ["Special 3 by SpecialToSpecial"],
          "Special 3 by SpecialToSpecial": ["Item 2 by ItemToItem"],
        ],
      ]
    ),
    ReportedCase(
      "an order key becomes nil with its key",
      scenario(
        [
          ObjectSketch("Item", 1, n: 1, ["next": 2], positions: ["next": 2048]),
          ObjectSketch("Item", 2),
          ObjectSketch("Item", 3, n: 1, ["next": 77], positions: ["next": 2048]),
          ObjectSketch("Item", 4, n: 1, positions: ["next": 2048]),
          ObjectSketch("Item", 5, n: 1, ["next": 4], positions: ["next": 3072]),
        ],
        isOrdered: true,
        .map("Item", "Item", where: .hasNumber, .set("next", .made(by: "ItemToItem", "next")))
      ),
      ["prev": ["Item 4 by ItemToItem": ["Item 5 by ItemToItem"]]]
    ),
    ReportedCase(
      "the objects of all mappings come in the order of the mappings",
      scenario(
        [
          ObjectSketch("Folder", 1), ObjectSketch("Item", 1, ["folder": 1]),
          ObjectSketch("Item", 2, n: 1, ["folder": 1]),
        ],
        pairs: [PairSketch("likes", 1, 2)],
        .map("Item", "Special", where: .hasNumber),
        .map(
          "Folder",
          "Folder",
          .set("items", .madeByAny("items")),
          .set("first", .madeByAny("items"))
        ),
        .map("Item", "Item", .set("likes", .madeByAny("likes")))
      ),
      [
        "items": [
          "Folder 1 by FolderToFolder": [
            "Item 1 by ItemToItem", "Item 2 by ItemToItem", "Item 2 by ItemToSpecial",
          ]
        ],
        "first": ["Folder 1 by FolderToFolder": ["Item 1 by ItemToItem"]],
        "likes": ["Item 1 by ItemToItem": ["Item 2 by ItemToItem", "Item 2 by ItemToSpecial"]],
      ]
    ),
  ]
}

struct ReportedCaseTests {
  @Test(arguments: ReportedCase.all)
  func `the reference has what is expected`(of reported: ReportedCase) throws {
    let directory = TemporaryDirectory()
    let scenario = reported.scenario
    let store = try scenario.write(to: directory.path("source.sqlite"))
    let source = SourceObjects(try StoreContents(of: store, scenario.model))
    let reference = ReferenceMigrator.migrate(source, by: scenario.step)
    for (name, links) in reported.expected { #expect(reference.links(of: name) == links) }
  }

  @Test(arguments: RandomSeeds.some(of: ReportedCase.all, every: 3), MigrationPath.allCases)
  func `every path comes to the same as the reference`(
    reported: ReportedCase,
    path: MigrationPath
  ) throws {
    #expect(try Trial.differences(of: reported.scenario, by: path) == [])
  }
}
