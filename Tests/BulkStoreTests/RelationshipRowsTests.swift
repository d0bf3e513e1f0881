import BulkTestSupport
import Testing

struct RelationshipRowsTests {
  private func schema(_ entities: EntityDescription...) throws -> StoreSchema {
    StoreSchema(
      try ManagedObjectModel(entities: entities)
    )
  }

  /// Table, near and far key, near and far place, far entity, far table.
  private func words(_ rows: RelationshipRows?) -> [String] {
    guard let rows else { return [] }
    return [
      rows.table, rows.nearColumn, rows.farColumn, rows.nearPositionColumn ?? "-",
      rows.farPositionColumn ?? "-", rows.farEntityColumn ?? "-", rows.farTable,
    ]
  }

  // The columns of all tests are those of formats/store.md 4 and 5.

  @Test func `a to-one relationship lies in the rows of the objects that have it`() throws {
    let schema = try schema(
      EntityDescription("Note", [], [.toOne("folder", "Folder.notes")]),
      EntityDescription("Folder", [], [.toMany("notes", "Note.folder")])
    )
    let rows = schema.rows(of: PropertyKey("Note", "folder"))
    #expect(words(rows) == ["ZNOTE", "Z_PK", "ZFOLDER", "-", "-", "-", "ZFOLDER"])
    #expect(rows?.isInNearRow == true)
    #expect(rows?.isJoinTable == false)
  }

  @Test func `its inverse lies in the same rows, seen from the other end`() throws {
    let schema = try schema(
      EntityDescription("Note", [], [.toOne("folder", "Folder.notes")]),
      EntityDescription("Folder", [], [.toMany("notes", "Note.folder", isOrdered: true)])
    )
    let rows = schema.rows(of: PropertyKey("Folder", "notes"))
    #expect(words(rows) == ["ZNOTE", "ZFOLDER", "Z_PK", "-", "Z_FOK_FOLDER", "-", "ZNOTE"])
    #expect(rows?.isInNearRow == false)
    #expect(rows?.reversed == schema.rows(of: PropertyKey("Note", "folder")))
    #expect(words(rows?.reversed)[3] == "Z_FOK_FOLDER")
  }

  @Test func `the number of the far object's entity is seen from the near end only`() throws {
    let schema = try schema(
      EntityDescription("Note", [], [.toOne("place", "Place.notes")]),
      EntityDescription("Place", [], [.toMany("notes", "Note.place")]),
      EntityDescription("Town", under: "Place")
    )
    let rows = schema.rows(of: PropertyKey("Note", "place"))
    #expect(rows?.farEntityColumn == "Z2_PLACE")
    #expect(rows?.reversed.farEntityColumn == nil)
    #expect(rows?.reversed.reversed == rows)
  }

  @Test func `a to-many relationship without inverse lies in a column of its members`() throws {
    let schema = try schema(
      EntityDescription("Box", [], [.toMany("parts", "Part")]),
      EntityDescription("Part")
    )
    let rows = schema.rows(of: PropertyKey("Box", "parts"))
    #expect(rows?.table == "ZPART")
    #expect(rows?.farColumn == "Z_PK")
    #expect(rows?.nearColumn.hasPrefix("Z1PARTS") == true)
  }

  @Test func `a many-to-many relationship lies in its join table, from either end`() throws {
    let schema = try schema(
      EntityDescription("CarePlan", [], [.toMany("tags", "Tag.carePlans")]),
      EntityDescription("Tag", [], [.toMany("carePlans", "CarePlan.tags")])
    )
    let rows = schema.rows(of: PropertyKey("CarePlan", "tags"))
    #expect(words(rows) == ["Z_1TAGS", "Z_1CAREPLANS", "Z_2TAGS", "-", "-", "-", "ZTAG"])
    #expect(rows?.isJoinTable == true)
    #expect(rows?.isSymmetric == false)
    #expect(schema.rows(of: PropertyKey("Tag", "carePlans")) == rows?.reversed)
  }

  @Test func `a relationship that is its own inverse counts in both directions`() throws {
    let schema = try schema(
      EntityDescription("Person", [], [.toMany("friends", "Person.friends")])
    )
    let rows = schema.rows(of: PropertyKey("Person", "friends"))
    #expect(words(rows) == ["Z_1FRIENDS", "Z_1FRIENDS", "REFLEXIVE", "-", "-", "-", "ZPERSON"])
    #expect(rows?.isSymmetric == true)
    #expect(rows?.asWritten.isSymmetric == false)
  }

  @Test func `what is not stored has no rows`() throws {
    var transient = RelationshipDescription.toOne("folder", "Folder")
    transient.isTransient = true
    let schema = try schema(
      EntityDescription("Note", [], [transient]),
      EntityDescription("Folder")
    )
    #expect(schema.rows(of: PropertyKey("Note", "folder")) == nil)
    #expect(schema.rows(of: PropertyKey("Note", "nothing")) == nil)
  }
}
