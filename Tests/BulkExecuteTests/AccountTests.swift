import BulkTestSupport
import Testing

/// What of a source stands in the ledger although no list of the model's properties names it.
///
/// Nothing stands there twice. The numbers are those of the objects that each test writes.
@Suite("The account of a source", .tags(.promise21))
struct AccountTests {
  /// The losses of a plan, which its run confirms.
  private static func losses(
    _ store: TestStore,
    to model: ManagedObjectModel,
    by mappings: [EntityMapping]? = nil
  ) throws -> [String] {
    let planned = try Planned(store, to: model, by: mappings)
    let losses = planned.plan.lossLines
    #expect(try planned.run().lossLines == losses)
    return losses
  }

  // MARK: Links of inferred migrations

  /// Three owners: of a cat, of an animal, of none; the table has a column of the application.
  @Test(arguments: [RelationshipDescription.toOne("pet", "Animal"), .toMany("pet", "Animal")])
  func `links go with targets that narrow or leave their parent, and unmanaged columns stay there`(
    pet: RelationshipDescription
  ) throws {
    func model(
      catUnder parent: String?,
      _ pet: RelationshipDescription
    ) throws
      -> ManagedObjectModel
    {
      try .of(
        .init("Animal", [.optional("name")]),
        .init("Cat", under: parent),
        .init("Owner", [], [pet])
      )
    }
    var store = TestStore(
      try model(catUnder: "Animal", pet),
      TestObject("Cat", 2),
      TestObject("Owner", 1, links: ["pet": [1]]),
      TestObject("Owner", 2, links: ["pet": [2]]),
      TestObject("Owner", 3)
    )
    store.sql = ["ALTER TABLE ZANIMAL ADD COLUMN XAPP TEXT", "UPDATE ZANIMAL SET XAPP = 'x'"]
    let link =
      "1 link of Owner.pet: the relationship does not lead to such objects any more"
    var cats = pet
    cats.destinationEntityName = "Cat"
    #expect(try Self.losses(store, to: model(catUnder: "Animal", cats)) == [link])
    #expect(
      try Self.losses(store, to: model(catUnder: nil, pet)) == [
        link,
        "1 unmanaged value of ZANIMAL.XAPP: the table is removed or rebuilt, or needs the name",
      ]
    )
  }

  @Test func `a relationship that moves to a subentity loses the links of the others`() throws {
    func model(_ entity: String) throws -> ManagedObjectModel {
      let pet = [RelationshipDescription.toOne("pet", "Animal")]
      return try .of(
        .init("Animal"),
        .init("Keeper", under: "Owner", [], entity == "Keeper" ? pet : []),
        .init("Owner", [], entity == "Owner" ? pet : [])
      )
    }
    let store = TestStore(
      try model("Owner"),
      TestObject("Owner", 1, links: ["pet": [1]]),
      TestObject("Owner", 2, links: ["pet": [1]]),
      TestObject("Keeper", 3, links: ["pet": [1]])
    )
    #expect(
      try Self.losses(store, to: model("Keeper")) == [
        "2 links of Owner.pet: no mapping reads them"
      ]
    )
  }

  @Test func `links of both sides of a one-to-one relationship are counted once`() throws {
    let store = TestStore(
      try .of(
        .init("Image", [], [.toOne("note", "Note.image")]),
        .init("Note", [], [.toOne("image", "Image.note")])
      ),
      TestObject("Note", 1, links: ["image": [1]]),
      TestObject("Note", 2, links: ["image": [2]])
    )
    let nothing = "no mapping reads them"
    let unlinked = try ManagedObjectModel.of(EntityDescription("Image"), EntityDescription("Note"))
    #expect(try Self.losses(store, to: unlinked) == ["2 links of Image.note: \(nothing)"])
    let oneSided = try ManagedObjectModel.of(
      EntityDescription("Image"),
      EntityDescription("Note", [], [.toOne("image", "Image")])
    )
    #expect(try Self.losses(store, to: oneSided) == [])
    let gone = try ManagedObjectModel.of(EntityDescription("Note"))
    #expect(
      try Self.losses(store, to: gone) == [
        "2 objects of Image: the entity is removed",
        "2 links of Note.image: objects of Image are not migrated",
      ]
    )
  }

  /// The pairs are made of the keys of `previous`, which show the links of subitems.
  @Test func `links that become pairs of the keys at their other end are kept`() throws {
    func model(
      _ item: [RelationshipDescription],
      _ sub: [RelationshipDescription]
    ) throws -> ManagedObjectModel {
      try .of(EntityDescription("Item", [], item), .init("Sub", under: "Item", [], sub))
    }
    let store = TestStore(
      try model(
        [.toOne("next", "Item.previous"), .toOne("previous", "Item.next")],
        []
      ),
      TestObject("Item", 1, links: ["next": [4]]),
      TestObject("Sub", 3, links: ["next": [1]]),
      TestObject("Sub", 4, links: ["next": [2]])
    )
    let moved = try model(
      [.toMany("previous", "Sub.next")],
      [.toMany("next", "Item.previous")]
    )
    let losses = try Self.losses(store, to: moved)
    #expect(
      losses == ["1 link of Item.next: the relationship does not lead to such objects any more"]
    )
  }

  /// The first groom leads to the first bride, who leads to nobody; both lead to each other in the second couple.
  @Test func `a key that goes counts where the other one leads elsewhere`() throws {
    func couples(_ bride: RelationshipDescription) throws -> ManagedObjectModel {
      try .of(.init("Bride", [], [.toOne("groom", "Groom.bride")]), .init("Groom", [], [bride]))
    }
    var store = TestStore(
      try couples(.toOne("bride", "Bride.groom")),
      TestObject("Bride", 1, links: ["groom": [1]]),
      TestObject("Bride", 2, links: ["groom": [2]]),
      TestObject("Groom", 1, links: ["bride": [1]]),
      TestObject("Groom", 2, links: ["bride": [2]])
    )
    store.sql = ["UPDATE ZBRIDE SET ZGROOM = 9 WHERE Z_PK = 1"]
    #expect(
      try Self.losses(store, to: couples(.toMany("bride", "Bride.groom"))) == [
        "1 link of Groom.bride: no mapping reads them"
      ]
    )
  }

  @Test func `pairs are rows of their own, whichever object goes`() throws {
    let store = TestStore(
      try .of(
        EntityDescription("Note", [], [.toMany("tags", "Tag.notes")]),
        EntityDescription("Tag", [], [.toMany("notes", "Note.tags")])
      ),
      TestObject("Note", 1, links: ["tags": [1, 2]]),
      TestObject("Note", 2, links: ["tags": [2]]),
    )
    for (kept, gone) in [("Note", "Tag"), ("Tag", "Note")] {
      let losses = [
        "2 objects of \(gone): the entity is removed",
        "3 links of Note.tags: objects of \(gone) are not migrated",
      ]
      let model = try ManagedObjectModel.of(EntityDescription(kept))
      #expect(try Self.losses(store, to: model) == losses)
      #expect(try Self.losses(store, to: model, by: [.of(kept, kept)]) == losses)
    }
  }

  // MARK: Columns beside the attributes

  @Test func `the order of members is counted where it is lost`() throws {
    func model(ordered: Bool, _ attributes: AttributeDescription...) throws -> ManagedObjectModel {
      try .of(
        .init("Note", attributes, [.toOne("folder", "Folder.notes")]),
        .init("Folder", [], [.toMany("notes", "Note.folder", isOrdered: ordered)])
      )
    }
    let store = TestStore(
      try model(ordered: true),
      TestObject("Folder", 1, links: ["notes": [2, 1]]),
    )
    #expect(
      try Self.losses(store, to: model(ordered: false)) == [
        "2 positions in Folder.notes: the members have no order in the destination"
      ]
    )
    #expect(try Self.losses(store, to: model(ordered: true)) == [])
    for (expression, lost) in [
      (#"FUNCTION($source.folder.notes, "indexOfObject:", $source)"#, 0),
      ("$source.folder.notes.@count", 1),
    ] {
      let sorted = try model(ordered: false, .optional("sort", .integer64))
      let mapping = try EntityMapping.of("Note", "Note", ["sort": expression])
      let losses = try Self.losses(store, to: sorted, by: [mapping, .of("Folder", "Folder")])
      #expect(losses.count { $0.contains("positions in") } == lost, "\(losses)")
    }
  }

  /// Folder 1 orders note 2 before note 1, which either filter leaves out; no order stays.
  @Test(arguments: ["title != nil", "title MATCHES 't'"])
  func `positions of objects that a filter leaves out go with these`(filter: String) throws {
    func model(ordered: Bool) throws -> ManagedObjectModel {
      try .of(
        .init("Folder", [], [.toMany("notes", "Note.folder", isOrdered: ordered)]),
        .init("Note", [.optional("title")], [.toOne("folder", "Folder.notes")])
      )
    }
    let planned = try Planned(
      TestStore(
        model(ordered: true),
        TestObject("Folder", 1, links: ["notes": [2, 1]]),
        TestObject("Note", 1),
        TestObject("Note", 2, ["title": "t"])
      ),
      to: model(ordered: false),
      by: [
        .of("Folder", "Folder"),
        .of(
          "Note",
          "Note",
          where: filter,
          ["title": "$source.title"],
          ["folder": instances("FolderToFolder", "$source.folder")]
        ),
      ]
    )
    #expect(
      try planned.run().lossLines.filter { $0.contains("position") } == [
        "1 position in Folder.notes: the members have no order in the destination"
      ]
    )
  }

  @Test func `values of objects that a filter leaves out go with these`() throws {
    let model = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("title"), .optional("body")])
    )
    let store = TestStore(
      model,
      TestObject("Note", 1, ["title": "a", "body": "x"]),
      TestObject("Note", 2, ["body": "y"])
    )
    let mapping = try EntityMapping.of(
      "Note",
      "Note",
      where: "title != nil",
      ["title": "$source.title"]
    )
    let titles = try ManagedObjectModel.of(EntityDescription("Note", [.optional("title")]))
    #expect(
      try Self.losses(store, to: titles, by: [mapping]) == [
        "1 object of Note: they do not satisfy title != nil",
        "1 value of Note.body: no mapping reads them",
      ]
    )
  }

  /// Notes 1 and 2 satisfy the filter, of which SQL knows nothing; the filter alone reads `tags`.
  @Test(arguments: [false, true])
  func `values that nothing reads are counted in objects that an evaluated filter takes`(
    leavesOut: Bool
  ) throws {
    var title = AttributeDescription.optional("title")
    if leavesOut { title.validationPredicates = [try ValuePredicate(format: "length <= 2")] }
    let planned = try Planned(
      TestStore(
        .of(EntityDescription("Note", ["body", "tags", "title"].map { .optional($0) })),
        .each(
          "Note",
          ["body": "x", "tags": "t", "title": "long"],
          ["tags": "tt"],
          ["body": "y", "tags": "u"],
          ["body": "z"]
        )
      ),
      to: .of(EntityDescription("Note", [title])),
      by: [.of("Note", "Note", where: "tags MATCHES 't+'", ["title": "$source.title"])]
    )
    let nothing = "no mapping reads them"
    #expect(
      planned.plan.lossLines.dropFirst() == [
        "at most 3 values of Note.body: \(nothing)", "at most 3 values of Note.tags: \(nothing)",
      ]
    )
    let losses = try planned.run { $0.rejects = RejectPolicy(.quarantine) }.lossLines
    #expect(
      losses == ["2 objects of Note: they do not satisfy tags MATCHES \"t+\""]
        + (leavesOut
          ? ["1 value of Note.tags: \(nothing)"]
          : ["1 value of Note.body: \(nothing)", "2 values of Note.tags: \(nothing)"])
    )
  }

  /// Note 4 satisfies neither filter, and the policy skips note 2.
  @Test(arguments: [(true, 2), (false, 1)])
  func `objects that neither an evaluated filter nor a policy takes are counted exactly`(
    leavesOne: Bool,
    lost: Int
  ) throws {
    let note = [AttributeDescription.optional("title")]
    let planned = try Planned(
      TestStore(
        .of(EntityDescription("Note", note)),
        .each("Note", ["title": "a"], ["title": "bb"], ["title": "b"], ["title": "c"])
      ),
      to: .of(EntityDescription("Plain", note), .init("Titled", note)),
      by: [
        .of("Note", "Titled", where: "title MATCHES 'a+'", ["title": "$source.title"]),
        .of(
          "Note",
          "Plain",
          where: "title MATCHES 'b+'",
          policy: "Short",
          ["title": "$source.title"]
        ),
      ]
    )
    let short = Making { source, mapping, manager in
      guard try !leavesOne || source["title"] != "bb" else { return }
      try manager.make(source, mapping)
    }
    let reason =
      leavesOne
      ? "no entity mapping makes anything of them"
      : #"they do not satisfy title MATCHES "a+" or title MATCHES "b+""#
    #expect(
      try planned.run { $0.policies = PolicyRegistry(["Short": short]) }.lossLines == [
        "\(lost) \(lost == 1 ? "object" : "objects") of Note: \(reason)"
      ]
    )
  }

  @Test func `the elements of a composite attribute are counted column by column`() throws {
    func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
      try .of(EntityDescription("Person", [.optional("name")] + attributes))
    }
    let home = AttributeDescription.composite("home", [.optional("city"), .optional("street")])
    var store = TestStore(
      try model(home),
      .each("Person", ["name": "a"], ["name": "b"])
    )
    let table = try #require(store.schema.entityTables.first)
    let columns = table.columns.filter { column in
      if case .attribute(let key) = column.role { key.property.contains(".") } else { false }
    }.map(\.name)
    store.sql = [
      "UPDATE ZPERSON SET \(columns[0]) = 'x'",
      "UPDATE ZPERSON SET \(columns[1]) = 'y' WHERE Z_PK = 2",
    ]
    let nothing = "no mapping reads them"
    let losses = [
      "2 values of Person.home.city: \(nothing)", "1 value of Person.home.street: \(nothing)",
    ]
    #expect(try Self.losses(store, to: model()) == losses)
    #expect(
      try Self.losses(
        store,
        to: model(),
        by: [.of("Person", "Person", ["name": "$source.name"])]
      ) == losses
    )
    #expect(try Self.losses(store, to: model(home, .optional("more"))) == [])
  }

  @Test func `a derived attribute is not lost where its objects are created again`() throws {
    let plain = try AttributeDescription.derived(
      "plain",
      .string,
      .init(format: "canonical:(title)")
    )
    let model = try ManagedObjectModel.of(EntityDescription("Note", [.optional("title"), plain]))
    var store = TestStore(
      model,
      .each("Note", ["title": "a"], ["title": "b"])
    )
    store.sql = ["UPDATE ZNOTE SET ZPLAIN = 'x'"]
    #expect(
      try Self.losses(store, to: model, by: [.of("Note", "Note", ["title": "$source.title"])])
        == []
    )
  }

  // MARK: What only the run knows

  /// Makes an object of each source object, and associates none.
  private static let forgetful = Making { source, mapping, manager in
    try manager.insert(manager.evaluate(mapping, forSource: source))
  }

  @Test func `links of objects that a policy associates with nothing are counted`() throws {
    let model = try ManagedObjectModel.of(
      EntityDescription("Folder", [], [.toMany("tags", "Tag.folders")]),
      EntityDescription("Note", [.optional("title")], [.toOne("folder", "Folder")]),
      EntityDescription("Tag", [], [.toMany("folders", "Folder.tags")])
    )
    let store = TestStore(
      model,
      TestObject("Folder", 1, links: ["tags": [1, 2]]),
      TestObject("Note", 1, ["title": "a"], links: ["folder": [1]]),
      TestObject("Note", 2, ["title": "b"], links: ["folder": [1]]),
      TestObject("Note", 3, ["title": "c"]),
    )
    let planned = try Planned(
      store,
      to: model,
      by: [
        .of(
          "Folder",
          "Folder",
          policy: "Forgetful",
          [:],
          ["tags": instances("TagToTag", "$source.tags")]
        ),
        .of(
          "Note",
          "Note",
          policy: "Forgetful",
          ["title": "$source.title"],
          ["folder": instances("FolderToFolder", "$source.folder")]
        ),
        .of("Tag", "Tag"),
      ]
    )
    let reason = "policy Forgetful associated no object with their source objects"
    #expect(
      try planned.run { $0.policies = PolicyRegistry(["Forgetful": Self.forgetful]) }.lossLines == [
        "at most 2 links of Folder.tags: \(reason)", "at most 2 links of Note.folder: \(reason)",
      ]
    )
  }

  @Test(arguments: [("", [String]()), ("t", ["2 objects of Note: they do not satisfy "])])
  func `objects that no evaluated filter takes are counted exactly`(
    other: String,
    lost: [String]
  ) throws {
    let note = [AttributeDescription.optional("title")]
    let store = TestStore(
      try .of(EntityDescription("Note", note)),
      .each("Note", ["title": "tt"], ["title": "u"], ["title": "v"])
    )
    let title = ["title": "$source.title"]
    let filters = ["title MATCHES 't+'", "NOT title MATCHES '[^\(other)]+'"]
    let planned = try Planned(
      store,
      to: .of(EntityDescription("Plain", note), .init("Titled", note)),
      by: [
        .of("Note", "Titled", where: filters[0], title),
        .of("Note", "Plain", where: other.isEmpty ? "NOT \(filters[0])" : filters[1], title),
      ]
    )
    #expect(planned.plan.losses.map { [$0.count, $0.isUpperBound == true ? 1 : 0] } == [[3, 1]])
    let losses = try planned.run().losses
    #expect(losses.map { $0.description.prefix(lost.first?.count ?? 0) } == lost.map { $0[...] })
  }

  @Test func `changes of removed entities are counted as they leave the history`() throws {
    func model(_ names: String...) throws -> ManagedObjectModel {
      try ManagedObjectModel(entities: names.map { EntityDescription($0) })
    }
    var store = TestStore(try model("Note", "Tag"), TestObject("Note", 1))
    store.sql = [
      "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITY INTEGER)",
      "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
      // Notes have number 1, tags number 2.
      "INSERT INTO ACHANGE (ZENTITY) VALUES (1), (2), (2), (1)",
      "INSERT INTO ATRANSACTION VALUES (1, 1, 1)",
    ]
    #expect(
      try Self.losses(store, to: model("Note")) == [
        "2 rows of ACHANGE: their objects' entities are removed"
      ]
    )
    #expect(
      try Self.losses(store, to: model("Note"), by: [.of("Note", "Note")]) == [
        "4 rows of ACHANGE: objects are created again, with a new history",
        "1 row of ATRANSACTION: objects are created again, with a new history",
      ]
    )
  }

  // MARK: The law in a run

  @Test func `a column that nothing reads and nobody counts stops a run`() throws {
    var planned = try Planned(
      TestStore(
        .of(EntityDescription("Note", [.optional("body"), .optional("title")])),
        TestObject("Note", 1, ["body": "x", "title": "t"])
      ),
      to: .of(EntityDescription("Note", [.optional("title")]))
    )
    #expect(planned.plan.losses.count == 1)
    planned.plan.losses = []
    #expect(
      failure(of: planned)
        .contains("nothing reads 1 value of Note.body, of which 0 are counted as lost")
    )
  }
}
