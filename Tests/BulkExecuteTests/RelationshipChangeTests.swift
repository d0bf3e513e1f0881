import BulkTestSupport
import Testing

/// Relationships that become to-one or to-many, gain or lose their order, their inverse or their names:
/// formats/migration.md 4.13 to 4.19, 13.14, 13.32 and 13.33.
struct RelationshipChangeTests {
  /// What becomes of the pairs of boxes 1 to 3 and items 8 to 15.
  struct Change: Sendable {
    let before: RelationshipForm
    let after: RelationshipForm
    /// The items of boxes, in their order.
    var content: [Int64: [Int64]] = [:]
    /// The boxes of items, in their order.
    var holders: [Int64: [Int64]] = [:]
    /// The pairs that are left, with places if there is an order.
    let pairs: [[StoredValue]]
    /// The same from the other side, where it has an order.
    var back: [[StoredValue]]?
    var warnings: [String]?
    var details: [String] = []
  }

  private static func first(
    _ dropped: String,
    of relationship: String,
    in name: String?
  ) -> [String] {
    let refusal = name.map {
      "\($0) becomes to-one: Core Data refuses this; bulkmigrate keeps the first of several objects"
    }
    return [
      refusal,
      "\(relationship) keeps the first of several objects; \(dropped) dropped from the relationship",
    ].compactMap(\.self)
  }

  private static let toOne: [Change] = [
    Change(
      before: .toMany,
      after: .toOne,
      content: [1: [10, 9, 8], 2: [11]],
      pairs: [[1, 8], [2, 11]],
      warnings: first("2 are", of: "Box.content", in: "Box.content"),
      details: ["relationship content becomes to-one, its first object is kept"]
    ),
    Change(
      before: .toManyInOrder,
      after: .toOne,
      content: [1: [10, 9, 8], 2: [11]],
      pairs: [[1, 10], [2, 11]],
      warnings: first("2 are", of: "Box.content", in: "Box.content")
    ),
    // Whom the owner drops drops the owner.
    Change(
      before: .oneToManyInOrder,
      after: .oneToOne,
      content: [1: [9, 8], 2: [10]],
      pairs: [[1, 9], [2, 10]],
      warnings: first("1 is", of: "Box.content", in: "Box.content")
    ),
    // The pairs that are first on both sides.
    Change(
      before: .manyToMany,
      after: .oneToOne,
      content: [1: [8, 9], 2: [8], 3: [10]],
      pairs: [[1, 8], [3, 10]]
    ),
    Change(
      before: .toOne,
      after: .oneToOne,
      content: [1: [8], 2: [8], 3: [9]],
      pairs: [[1, 8], [3, 9]],
      warnings: first("1 is", of: "Item.holder", in: nil)
    ),
    // A member of several owners keeps the first.
    Change(
      before: .manyToMany,
      after: .oneToMany,
      content: [1: [8], 2: [8, 9]],
      pairs: [[1, 8], [2, 9]],
      warnings: first("1 is", of: "Item.holder", in: "Item.holder")
    ),
    Change(
      before: .manyToManyInOrder,
      after: .oneToMany,
      holders: [8: [2, 1], 9: [2]],
      pairs: [[2, 8], [2, 9]],
      warnings: first("1 is", of: "Item.holder", in: "Item.holder")
    ),
    Change(
      before: .manyToManyInOrder,
      after: .oneToManyInOrder,
      content: [1: [10, 8, 9]],
      pairs: [[1, 8, 3072], [1, 9, 4096], [1, 10, 2048]]
    ),
    Change(
      before: .manyToManyInOrder,
      after: .toManyInOrder,
      content: [1: [9, 8], 2: [8]],
      pairs: [[1, 8, 3072], [1, 9, 2048]],
      warnings: first("1 is", of: "Box.content", in: nil)
    ),
  ]

  private static let toMany: [Change] = [
    // formats/migration.md 2.15 and 4.16
    Change(
      before: .manyToOne,
      after: .manyToMany,
      content: [1: [8], 2: [8]],
      pairs: [[1, 8], [2, 8]],
      warnings: []
    ),
    // formats/migration.md 4.17
    Change(
      before: .manyToOneInOrder,
      after: .manyToManyInOrder,
      holders: [8: [3, 1, 2]],
      pairs: [[1, 8, 2048], [2, 8, 2048], [3, 8, 2048]],
      back: [[8, 1, 3072], [8, 2, 4096], [8, 3, 2048]]
    ),
    Change(
      before: .toManyInOrder,
      after: .manyToManyInOrder,
      content: [1: [9, 8]],
      pairs: [[1, 8, 3072], [1, 9, 2048]],
      back: [[8, 1, 2048], [9, 1, 2048]]
    ),
  ]

  private static let inOrder: [Change] = [
    // formats/migration.md 4.13
    Change(
      before: .oneToMany,
      after: .oneToManyInOrder,
      content: [1: [13, 11, 15], 2: [12]],
      pairs: [[1, 11, 2048], [1, 13, 3072], [1, 15, 4096], [2, 12, 2048]],
      details: ["relationship content becomes ordered, by key"]
    ),
    // formats/migration.md 4.14
    Change(
      before: .manyToMany,
      after: .manyToManyInOrder,
      content: [1: [9, 8], 2: [9]],
      pairs: [[1, 8, 2048], [1, 9, 3072], [2, 9, 2048]],
      back: [[8, 1, 2048], [9, 1, 2048], [9, 2, 3072]]
    ),
    Change(
      before: .toMany,
      after: .toManyInOrder,
      content: [1: [9, 8]],
      pairs: [[1, 8, 2048], [1, 9, 3072]]
    ),
    // formats/migration.md 4.15
    Change(
      before: .oneToManyInOrder,
      after: .oneToMany,
      content: [1: [13, 11]],
      pairs: [[1, 11], [1, 13]]
    ),
  ]

  private static let inverse: [Change] = [
    Change(
      before: .toOne,
      after: .manyToOneInOrder,
      content: [1: [8], 2: [8]],
      pairs: [[1, 8], [2, 8]],
      back: [[8, 1, 2048], [8, 2, 3072]]
    ),
    // formats/migration.md 4.19
    Change(
      before: .toManyInOrder,
      after: .oneToManyInOrder,
      content: [1: [9, 8]],
      pairs: [[1, 8, 3072], [1, 9, 2048]]
    ),
    Change(
      before: .oneToManyInOrder,
      after: .toManyInOrder,
      content: [1: [9, 8]],
      pairs: [[1, 8, 3072], [1, 9, 2048]]
    ),
  ]

  private static func model(_ form: RelationshipForm) throws -> ManagedObjectModel {
    try .of(.init("Box", [], [form.content(of: "Item")]), .init("Item", [], form.holder(of: "Box")))
  }

  /// The columns are those of the model, which every run checks.
  @Test(arguments: toOne + toMany + inOrder + inverse)
  func `the pairs that fit the new form stay, the first ones of several`(change: Change) throws {
    let model = try Self.model(change.after)
    var store = TestStore(try Self.model(change.before))
    store.objects = (1...3).map { key in
      TestObject("Box", key, links: change.content[key].map { ["content": $0] } ?? [:])
    }
    store.objects += (8...15).map { key in
      TestObject("Item", key, links: change.holders[key].map { ["holder": $0] } ?? [:])
    }
    store.givePlaces()
    let migrated = try migrate(store, to: model)
    func pairs(_ entity: String, _ name: String) throws -> [[StoredValue]] {
      try migrated.destination.pairs(of: PropertyKey(entity, name), in: StoreSchema(model))
    }
    #expect(try pairs("Box", "content") == change.pairs)
    let back = try pairs("Item", "holder")
    if !change.after.holder(of: "Box").isEmpty {
      #expect(Set(back.map { [$0[1], $0[0]] }) == Set(change.pairs.map { [$0[0], $0[1]] }))
    }
    if let expected = change.back { #expect(back == expected) }
    if let expected = change.warnings { #expect(migrated.plan.warnings == expected) }
    if change.before == .toMany, change.after == .toOne {
      #expect(
        migrated.plan.lossLines == [
          "2 links of Box.content: the first of several objects is kept"
        ]
      )
    }
    let details = migrated.plan.passes.flatMap(\.entities).flatMap(\.details)
    #expect(change.details.filter { !details.contains($0) } == [])
  }

  /// The key at the side that stays to-one counts; item 9 alone says that it belongs to box 2.
  // formats/migration.md 4.18
  @Test func `of a one-to-one relationship the side that stays to-one keeps its keys`() throws {
    var store = TestStore(
      try Self.model(.oneToOne),
      TestObject("Box", 1, links: ["content": [8]]),
      TestObject("Box", 2),
      TestObject("Item", 8),
      TestObject("Item", 9)
    )
    store.sql = ["UPDATE ZITEM SET ZHOLDER = 2 WHERE Z_PK = 9"]
    let migrated = try migrate(store, to: Self.model(.manyToOne))
    #expect(try migrated.destination.rows(of: "ZBOX", "Z_PK", "ZCONTENT") == [[1, 8], [2, nil]])
    #expect(try migrated.destination.columns(of: "ZITEM") == ["Z_PK", "Z_ENT", "Z_OPT"])
    #expect(
      migrated.plan.lossLines
        == ["1 link of Item.holder: no mapping reads them"]
    )
  }

  /// Item stands before Page, so that it owns the table now.
  @Test func `a relationship that is renamed on both sides keeps its pairs`() throws {
    let store = TestStore(
      try Self.model(.manyToMany),
      TestObject("Box", 1, links: ["content": [9, 8]]),
      TestObject("Item", 8),
      TestObject("Item", 9)
    )
    let items = RelationshipDescription.toMany("items", "Item.pages", id: "content")
    let pages = RelationshipDescription.toMany("pages", "Page.items", id: "holder")
    let made = try migrate(
      store,
      to: .of(.init("Page", id: "Box", [], [items]), .init("Item", [], [pages]))
    ).destination
    #expect(
      try made.rows("SELECT Z_1ITEMS, Z_2PAGES FROM Z_1PAGES ORDER BY 1") == [[8, 1], [9, 1]]
    )
  }

  @Test func `ordered pairs keep their places and their row ids`() throws {
    var store = TestStore(
      try Self.model(.manyToManyInOrder),
      TestObject("Box", 1, links: ["content": [9, 8]]),
      TestObject("Box", 2, links: ["content": [8]]),
      TestObject("Item", 8, links: ["holder": [2, 1]]),
      TestObject("Item", 9)
    )
    store.sql = [
      "UPDATE Z_1CONTENT SET rowid = rowid + 40",
      "UPDATE Z_1CONTENT SET Z_FOK_1HOLDER = 77 WHERE Z_2CONTENT = 9",
    ]
    let entities = try Self.model(.manyToManyInOrder).entities
    let made = try migrate(
      store,
      to: ManagedObjectModel(entities: entities + [EntityDescription("Attachment")])
    ).destination
    #expect(
      try made.rows(
        "SELECT rowid, Z_2HOLDER, Z_3CONTENT, Z_FOK_3CONTENT, Z_FOK_2HOLDER FROM Z_2CONTENT"
      ) == [[41, 1, 9, 2048, 77], [42, 1, 8, 3072, 3072], [43, 2, 8, 2048, 2048]]
    )
  }
}
