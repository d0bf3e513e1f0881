import BulkTestSupport
import Testing

struct WorkListTests {
  private static let note = EntityDescription(
    "Note",
    [.optional("title"), .optional("rank", .integer32)],
    [.toMany("tags", "Tag.notes")],
    unique: [["title"]]
  )
  private static let tag = EntityDescription(
    "Tag",
    [.optional("name")],
    [.toMany("notes", "Note.tags")]
  )

  private static func store() throws -> TestStore {
    TestStore(
      try ManagedObjectModel.of(note, tag),
      TestObject("Note", 1, ["title": "a", "rank": .integer(2)], links: ["tags": [1]]),
      TestObject("Tag", 1, ["name": "x"])
    )
  }

  private static func destination() throws -> ManagedObjectModel {
    var note = note
    note.attributes.append(.optional("body"))
    return try ManagedObjectModel.of(note, tag)
  }

  @Test func `a copy is changed, and completed like a new file`() throws {
    let planned = try plan(Self.store(), to: Self.destination(), by: .copy)
    #expect(
      try planned.plan.workLines()
        == [
          "copy the file", "DROP TABLE IF EXISTS main.\"Z_PRIMARYKEY\"",
          "DROP TABLE IF EXISTS main.\"Z_METADATA\"", "DROP TABLE IF EXISTS main.\"Z_MODELCACHE\"",
          "ALTER TABLE main.\"ZNOTE\" ADD COLUMN ZBODY VARCHAR", "check the rules",
          "repair what objects that are left out change", "make Core Data's own tables",
          "make the rows of Z_PRIMARYKEY", "make the metadata and the model",
        ]
    )
  }

  @Test func `a new file is filled pass by pass`() throws {
    let planned = try plan(Self.store(), to: Self.destination(), by: .rebuild)
    #expect(
      try planned.plan.workLines()
        == [
          "make the tables", "pass 1: write ZNOTE from ZNOTE", "pass 1: write ZTAG from ZTAG",
          "pass 1: write Z_1TAGS from Z_1TAGS", "pass 1: end the pass",
          "make index Z_1TAGS_Z_2TAGS_INDEX", "make index Z_Note_UNIQUE_title", "check the rules",
          "repair what objects that are left out change", "make Core Data's own tables",
          "make the rows of Z_PRIMARYKEY", "make the metadata and the model",
        ]
    )
  }

  @Test func `objects are created, related, validated and repaired`() throws {
    let planned = try Planned(
      Self.store(),
      to: Self.destination(),
      by: [
        .of("Tag", "Tag", ["name": "$source.name"]),
        .of("Note", "Note", policy: "P", [:], ["tags": instances("TagToTag", "$source.tags")]),
      ]
    )
    #expect(
      try planned.plan.workLines()
        == [
          "make the tables", "pass 1: make ZTAG from ZTAG by TagToTag",
          "pass 1: make ZNOTE from ZNOTE by NoteToNote", "pass 1: set Note.tags",
          "pass 1: let the policy of NoteToNote set relationships", "pass 1: end the pass",
          "make index Z_1TAGS_Z_2TAGS_INDEX", "make index Z_Note_UNIQUE_title", "check the rules",
          "repair what objects that are left out change", "make Core Data's own tables",
          "make the rows of Z_PRIMARYKEY", "make the metadata and the model",
        ]
    )
  }

  /// A plan of other work, as one that another version of the program made, or that was changed with its digest.
  @Test func `a run refuses work that is not the planned one`() throws {
    let planned = try plan(Self.store(), to: Self.destination(), by: .rebuild)
    var plan = planned.plan
    plan.workList = String(repeating: "0", count: 64)
    plan.fingerprint = plan.computedFingerprint
    #expect(
      failure { try Migration(inTestProcess: plan).run() } == """
        the plan does not fit its inputs any more; make a new one:
          the work that follows from its inputs is not the planned one
        """
    )
    #expect(!planned.isMade)
  }
}
