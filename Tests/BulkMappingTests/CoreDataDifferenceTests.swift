import BulkTestSupport
import Testing

/// The points of formats/migration.md 2 and 4 at which an inferred mapping is carried out otherwise.
struct CoreDataDifferenceTests {
  private func differences(
    _ source: [EntityDescription],
    _ destination: [EntityDescription]
  ) throws -> [String] {
    let models = try ModelPair(
      from: ManagedObjectModel(entities: source),
      to: ManagedObjectModel(entities: destination)
    )
    return CoreDataDifference.all(between: models).map {
      "\($0.point) \($0.isRefused) \($0.description)"
    }
  }

  private func notes(_ relationships: RelationshipDescription...) -> EntityDescription {
    EntityDescription("Folder", [], relationships)
  }

  @Test func `external storage that is no longer allowed is refused by Core Data (2.13)`() throws {
    #expect(
      try differences(
        [EntityDescription("Note", [.external("image")])],
        [EntityDescription("Note", [.optional("image", .binaryData)])]
      ) == [
        "2.13 true Note.image no longer allows external storage: Core Data refuses this; bulkmigrate stores the "
          + "values in the rows"
      ]
    )
  }

  @Test func `to-many that becomes to-one is refused by Core Data (2.14)`() throws {
    let note = EntityDescription("Note", [], [.toOne("folder", "Folder.notes")])
    #expect(
      try differences(
        [note, notes(.toMany("notes", "Note.folder"))],
        [note, notes(.toOne("notes", "Note.folder"))]
      ) == [
        "2.14 true Folder.notes becomes to-one: Core Data refuses this; bulkmigrate keeps the first of several "
          + "objects"
      ]
    )
  }

  @Test func `to-one that becomes to-many without inverse is refused by Core Data (2.20)`() throws {
    #expect(
      try differences(
        [EntityDescription("Note"), notes(.toOne("note", "Note"))],
        [EntityDescription("Note"), notes(.toMany("note", "Note"))]
      ) == [
        "2.20 true Folder.note becomes to-many and has no inverse: Core Data refuses this; bulkmigrate keeps the "
          + "object"
      ]
    )
  }

  @Test func `keys of removed objects are left by Core Data (4.5)`() throws {
    let kinds = [
      EntityDescription("Note", isAbstract: true), EntityDescription("Text", under: "Note"),
      notes(.toOne("note", "Note")),
    ]
    #expect(
      try differences(kinds + [EntityDescription("Sketch", under: "Note")], kinds) == [
        "4.5 false Folder.note leads to objects of Sketch, which is removed: Core Data leaves their keys; "
          + "bulkmigrate sets them to nil"
      ]
    )
  }

  @Test func `keys that lead to other objects are left by Core Data (2.17)`() throws {
    let kinds = [EntityDescription("Tag"), EntityDescription("Pin")]
    #expect(
      try differences(
        kinds + [notes(.toOne("mark", "Tag"), .toMany("all", "Tag"))],
        kinds + [notes(.toOne("mark", "Pin"), .toMany("all", "Pin"))]
      ) == [
        "2.17 false Folder.mark led to Tag and now leads to Pin, which continues none of its objects: Core Data "
          + "leaves their keys; bulkmigrate sets them to nil"
      ]
    )
  }

  // formats/migration.md 3.2: the constraint of an entity also binds its subentities.
  @Test func `a constraint of an entity with a subentity is not new`() throws {
    let kinds = [
      EntityDescription("Note", [.optional("uuid")], unique: [["uuid"]]),
      EntityDescription("Text", under: "Note"),
    ]
    let demands = try CoreDataDifference.rowDemands(
      between: ModelPair(
        from: ManagedObjectModel(entities: kinds),
        to: ManagedObjectModel(entities: kinds + [EntityDescription("Tag")])
      )
    )
    #expect(demands == [])
  }

  @Test(arguments: [
    (false, false, "4.13"), (true, true, "4.14"), (false, true, "4.17"),
  ])
  func `places are given otherwise (4.13 to 4.17)`(
    wasManyToMany: Bool,
    isManyToMany: Bool,
    point: String
  ) throws {
    func note(_ isToMany: Bool) -> EntityDescription {
      EntityDescription(
        "Note",
        [],
        [isToMany ? .toMany("folder", "Folder.notes") : .toOne("folder", "Folder.notes")]
      )
    }
    let ordered = RelationshipDescription.toMany("notes", "Note.folder", isOrdered: true)
    let found = try differences(
      [note(wasManyToMany), notes(.toMany("notes", "Note.folder"))],
      [note(isManyToMany), notes(ordered)]
    )
    #expect(
      found == [
        "\(point) false Folder.notes becomes ordered: Core Data gives its members no order that means anything; "
          + "bulkmigrate puts them into the order of their keys"
      ]
    )
  }

  @Test func `what Core Data does alike is not a difference`() throws {
    let note = EntityDescription("Note", [.optional("rank", .double)])
    #expect(
      try differences([note], [EntityDescription("Note", [.required("rank", .integer16)])]) == []
    )
  }
}
