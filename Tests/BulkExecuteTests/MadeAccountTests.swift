import BulkTestSupport
import Testing

/// What a run counts of a source whose objects get new keys; the numbers are those of the objects that each test
/// writes.
@Suite("The account of objects with new keys", .tags(.promise21))
struct MadeAccountTests {
  @Test func `objects that became one with another that is left out are lost`() throws {
    let store = TestStore(
      try .of(EntityDescription("Tag", [.optional("name"), .optional("rank", .integer64)])),
      TestObject("Tag", 1, ["name": "a"]),
      TestObject("Tag", 2, ["name": "a", "rank": 2]),
      TestObject("Tag", 3, ["name": "a", "rank": 3]),
      TestObject("Tag", 4, ["name": "b", "rank": 4])
    )
    let planned = try Planned(
      store,
      to: .of(EntityDescription("Tag", [.optional("name"), .required("rank", .integer64)])),
      by: [
        .of("Tag", "Tag", unique: ["name"], ["name": "$source.name", "rank": "$source.rank"])
      ]
    )
    #expect(
      try planned.run { $0.rejects = RejectPolicy(.quarantine) }.lossLines == [
        "2 objects of Tag: they are the same as an object that is left out"
      ]
    )
  }

  @Test func `objects of which another mapping made something are kept`() throws {
    let store = TestStore(
      try .of(EntityDescription("Tag", [.optional("name"), .optional("rank", .integer64)])),
      .each("Tag", ["name": "a"], ["name": "a", "rank": 2])
    )
    let planned = try Planned(
      store,
      to: .of(
        .init("Label", [.optional("name")]),
        .init("Tag", [.optional("name"), .required("rank", .integer64)])
      ),
      by: [
        .of("Tag", "Tag", unique: ["name"], ["name": "$source.name", "rank": "$source.rank"]),
        .of("Tag", "Label", ["name": "$source.name"]),
      ]
    )
    // The rank of the second tag went with the object that is left out.
    #expect(
      try planned.run { $0.rejects = RejectPolicy(.quarantine) }.lossLines == [
        "1 value of Tag.rank: no mapping of their objects reads them"
      ]
    )
  }

  @Test func `values that only another mapping of the entity reads are lost`() throws {
    let store = TestStore(
      try .of(EntityDescription("Note", [.optional("body"), .optional("title")])),
      TestObject("Note", 1, ["title": "t", "body": "kept"]),
      TestObject("Note", 2, ["title": "u", "body": "lost"]),
      TestObject("Note", 3, ["title": "u"])
    )
    let planned = try Planned(
      store,
      to: .of(
        .init("Draft", [.optional("title")]),
        .init("Note", [.optional("body"), .optional("title")])
      ),
      by: [
        .of(
          "Note",
          "Note",
          where: "title == 't'",
          ["title": "$source.title", "body": "$source.body"]
        ),
        .of("Note", "Draft", where: "title != 't'", ["title": "$source.title"]),
      ]
    )
    let losses = [
      "1 value of Note.body: no mapping of their objects reads them"
    ]
    #expect(planned.plan.lossLines == losses)
    #expect(try planned.run().lossLines == losses)
  }

  /// The tags of the second note are a text without any tag.
  @Test func `values that a mapping divides are read in every row`() throws {
    let store = TestStore(
      try .of(EntityDescription("Note", [.optional("tags"), .optional("title")])),
      .each("Note", ["title": "t", "tags": "a,b"], ["title": "u", "tags": ""], ["title": "v"])
    )
    let planned = try Planned(
      store,
      to: .of(.init("Note", [.optional("title")]), .init("Tag", [.optional("name")])),
      by: [
        .of("Note", "Note", ["title": "$source.title"]),
        .of(
          "Note",
          "Tag",
          forEach: Self.eachTag,
          unique: ["name"],
          ["name": "$element"]
        ),
      ]
    )
    #expect(planned.plan.losses.isEmpty)
    #expect(try planned.run().lossLines == [])
  }

  private static let eachTag = "FUNCTION($source.tags, 'componentsSeparatedByString:', ',')"

  /// The tags of notes 2 and 3 are nil, and a second mapping takes note 3.
  @Test(arguments: [
    (false, "2 objects of Note: the collection of forEach has no element"),
    (true, "1 object of Note: no entity mapping makes anything of them"),
  ])
  func `objects of which nothing is made are lost`(makesNotes: Bool, lost: String) throws {
    let store = TestStore(
      try .of(EntityDescription("Note", [.optional("rank", .integer64), .optional("tags")])),
      .each("Note", ["tags": "a", "rank": 1], ["rank": 1], ["rank": 4], ["tags": "b", "rank": 1])
    )
    let tags = try EntityMapping.of(
      "Note",
      "Tag",
      forEach: Self.eachTag,
      ["name": "$element", "rank": "$source.rank"]
    )
    let notes = try EntityMapping.of("Note", "Note", where: "rank > 3", ["rank": "$source.rank"])
    let rank = AttributeDescription.optional("rank", .integer64)
    let planned = try Planned(
      store,
      to: .of(.init("Note", [rank]), .init("Tag", [.optional("name"), rank])),
      by: makesNotes ? [tags, notes] : [tags]
    )
    #expect(
      planned.plan.lossLines == [
        "at most 4 objects of Note: the collection of forEach has no element"
      ]
    )
    #expect(try planned.run().lossLines == [lost])
  }

  /// Four notes have one bad tag, two mappings make one label of them, or their parts are one: the note whose label is
  /// left out is in the files, each of the others is lost once.
  @Test(arguments: [1, 5] as [Int64], [nil, eachTag])
  func `objects of several mappings that went with one are lost once`(
    first: Int64,
    elements: String?
  ) throws {
    let store = TestStore(
      try .of(EntityDescription("Note", [.optional("tags")])),
      (first..<first + 4).map { TestObject("Note", $0, ["tags": "long"]) }
    )
    var name = AttributeDescription.optional("name")
    name.validationPredicates = [try ValuePredicate(format: "length <= 3")]
    let planned = try Planned(
      store,
      to: .of(.init("Label", [name]), .init("Tag", [name])),
      by: ["Label", "Tag"].map {
        try .of(
          "Note",
          $0,
          forEach: elements,
          unique: ["name"],
          ["name": elements == nil ? "$source.tags" : "$element"]
        )
      }
    )
    #expect(
      try planned.run { $0.rejects = RejectPolicy(.quarantine) }.lossLines == [
        "3 objects of Note: they are the same as an object that is left out"
      ]
    )
  }

  /// Notes 1 and 2 have one bad label; the filter of the second mapping fails for both.
  @Test func `an object in the files of rejects is not lost, whichever mapping leaves it out`()
    throws
  {
    var name = AttributeDescription.optional("name")
    name.validationPredicates = [try ValuePredicate(format: "length <= 3")]
    let planned = try Planned(
      TestStore(
        .of(EntityDescription("Note", [.optional("tags")])),
        .each("Note", ["tags": "long"], ["tags": "long"])
      ),
      to: .of(.init("Label", [name]), .init("Tag", [name])),
      by: [
        .of("Note", "Label", unique: ["name"], ["name": "$source.tags"]),
        .of("Note", "Tag", where: "CAST(tags, 'NSNumber') > 0", ["name": "$source.tags"]),
      ]
    )
    #expect(try planned.run { $0.rejects = RejectPolicy(.quarantine) }.lossLines == [])
  }

  /// Both persons are in a group with both items, each of which leads to one person afterwards.
  @Test func `what an end of a path does not keep is lost`() throws {
    let store = TestStore(
      try .of(
        .init("Group", [], [.toMany("items", "Item.group"), .toMany("persons", "Person.groups")]),
        .init("Item", [], [.toOne("group", "Group.items")]),
        .init("Person", [], [.toMany("groups", "Group.persons")])
      ),
      TestObject("Group", 1, links: ["items": [1, 2], "persons": [1, 2]]),
      TestObject("Item", 1),
      TestObject("Item", 2),
      TestObject("Person", 1),
      TestObject("Person", 2)
    )
    let planned = try Planned(
      store,
      to: .of(
        .init("Item", [], [.toOne("person", "Person.items")]),
        .init("Person", [], [.toMany("items", "Item.person")])
      ),
      by: [
        .of("Item", "Item"),
        .of("Person", "Person", [:], ["items": instances("ItemToItem", "$source.groups.items")]),
      ]
    )
    #expect(
      try planned.run().lossLines.contains(
        "2 links of Person.items: the first of several objects is kept"
      )
    )
  }

  private static func couples() throws -> ManagedObjectModel {
    try .of(
      .init("Bride", [.optional("name")], [.toOne("groom", "Groom.bride")]),
      .init("Groom", [.optional("name")], [.toOne("bride", "Bride.groom")])
    )
  }

  /// Two brides have the key of one groom, who has that of the first.
  @Test func `of two objects that claim the same one the second loses its link`() throws {
    var store = TestStore(
      try Self.couples(),
      TestObject("Bride", 1, links: ["groom": [1]]),
      TestObject("Bride", 2)
    )
    store.sql = ["UPDATE ZBRIDE SET ZGROOM = 1 WHERE Z_PK = 2"]
    let planned = try Planned(
      store,
      to: Self.couples(),
      by: [
        .of(
          "Bride",
          "Bride",
          ["name": "$source.name"],
          ["groom": instances("GroomToGroom", "$source.groom")]
        ),
        .of(
          "Groom",
          "Groom",
          ["name": "$source.name"],
          ["bride": instances("BrideToBride", "$source.bride")]
        ),
      ]
    )
    #expect(
      planned.plan.lossLines == [
        "at most 1 link of Bride.groom: the first of several objects is kept"
      ]
    )
    #expect(
      try planned.run().lossLines == ["1 link of Bride.groom: the first of several objects is kept"]
    )
  }

  /// A link is one, however many mappings make objects of its ends, and whichever of them carries it.
  @Test func `a link that one of several mappings carries is not lost`() throws {
    let model = try ManagedObjectModel.of(
      .init("Folder", [.optional("name")]),
      .init("Note", [.optional("title")], [.toOne("folder", "Folder")])
    )
    let store = TestStore(
      model,
      TestObject("Note", 1, ["title": "t"], links: ["folder": [1]]),
      TestObject("Note", 2, ["title": "u"], links: ["folder": [1]])
    )
    let planned = try Planned(
      store,
      to: model,
      by: [
        .of("Folder", "Folder", ["name": "$source.name"]),
        .of("Note", "Note", named: "Bare", ["title": "$source.title"]),
        .of(
          "Note",
          "Note",
          named: "Linked",
          where: "title MATCHES 't'",
          ["title": "$source.title"],
          ["folder": instances("FolderToFolder", "$source.folder")]
        ),
      ]
    )
    #expect(
      try planned.run().lossLines == [
        "1 link of Note.folder: target object is not migrated"
      ]
    )
  }

  /// What is left out takes its values along, so that less may be lost than a plan is certain of.
  @Test func `a limit of losses is checked after objects are left out`() throws {
    let store = TestStore(
      try .of(EntityDescription("Note", [.optional("body"), .optional("title")])),
      .each("Note", ["title": "t", "body": "a"], ["body": "b"])
    )
    let planned = try Planned(
      store,
      to: .of(EntityDescription("Note", [.required("title")])),
      by: [.of("Note", "Note", ["title": "$source.title"])]
    )
    #expect(planned.plan.losses.certain == 2)
    var migration = Migration(inTestProcess: planned.plan)
    migration.rejects = RejectPolicy(.quarantine)
    migration.lossLimit = .count(1)
    #expect(failure { try migration.run() }.contains("the destination is made, but not published"))
    migration.lossLimit = .count(2)
    #expect(try migration.run(.resume).rejected == 1)
  }
}
