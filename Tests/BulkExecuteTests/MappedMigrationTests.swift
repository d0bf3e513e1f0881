import BulkMapping
import BulkModel
import BulkTestSupport
import BulkVersions
import Testing

/// Worked examples, at the level of tables.
@Suite("Migrations by mapping models")
struct MappedMigrationTests {
  /// UnCloudNotes v2 to v3 (U-2): a note with an image becomes a note and an attachment.
  // formats/migration.md 8.8
  @Test func `one object becomes two that refer to each other`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("title", .string), .optional("image", .binaryData)])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription(
        "Note",
        [.optional("title", .string)],
        [.toMany("attachments", "Attachment", inverse: "note")]
      ),
      EntityDescription(
        "Attachment",
        [.optional("image", .binaryData)],
        [.toOne("note", "Note", inverse: "attachments")]
      )
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, ["title": "a", "image": .binary([1])]),
      TestObject("Note", 2, ["title": "b"]),
      TestObject("Note", 5, ["title": "c", "image": .binary([3])])
    )
    let migrated = try migrate(
      store,
      to: destination,
      by: .of(
        "Note",
        "Attachment",
        where: "image != nil",
        ["image": "$source.image"],
        ["note": instances("NoteToNote", "$source")]
      ),
      .of("Note", "Note", ["title": "$source.title"])
    )
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "Z_PK", "Z_ENT", "Z_OPT", "ZTITLE")
        == [[1, 2, 1, "a"], [2, 2, 1, "b"], [5, 2, 1, "c"]]
    )
    #expect(
      try migrated.destination.rows("SELECT Z_PK, Z_ENT, ZNOTE, hex(ZIMAGE) FROM ZATTACHMENT")
        == [[1, 1, 1, "01"], [5, 1, 5, "03"]]
    )
  }

  /// Student/Class/Course v2 to v3 (C-2), without the attribute that follows a relationship.
  // formats/migration.md 8.15
  @Test func `both ends of a many-to-many relationship give each pair once`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Clazz", [.optional("clazzName", .string)]),
      EntityDescription(
        "Course",
        [.optional("courseName", .string)],
        [.toMany("students", "Student", inverse: "courses")]
      ),
      EntityDescription(
        "Student",
        [.optional("name", .string)],
        [.toMany("courses", "Course", inverse: "students")]
      )
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription(
        "Course",
        [.optional("name", .string)],
        [.toMany("students", "Student", inverse: "courses")]
      ),
      EntityDescription(
        "Student",
        [.optional("name", .string)],
        [.toMany("courses", "Course", inverse: "students")]
      )
    )
    let store = TestStore(
      source,
      TestObject("Course", 1, ["courseName": "physics"]),
      TestObject("Course", 2, ["courseName": "art"]),
      TestObject("Student", 1, ["name": "Ann"], links: ["courses": [1, 2]]),
      TestObject("Student", 3, ["name": "Bob"], links: ["courses": [2]]),
      TestObject("Clazz", 1)
    )
    let migrated = try migrate(
      store,
      to: destination,
      by: .of(
        "Student",
        "Student",
        ["name": "$source.name"],
        ["courses": instances("CourseToCourse", "$source.courses")]
      ),
      .of(
        "Course",
        "Course",
        ["name": "$source.courseName"],
        ["students": instances("StudentToStudent", "$source.students")]
      )
    )
    #expect(
      try migrated.destination.rows(of: "ZCOURSE", "Z_PK", "ZNAME") == [
        [1, "physics"], [2, "art"],
      ]
    )
    #expect(
      try migrated.destination.rows(of: "ZSTUDENT", "Z_PK", "ZNAME") == [[1, "Ann"], [3, "Bob"]]
    )
    #expect(
      try migrated.destination.rows(of: "Z_1STUDENTS", "Z_1COURSES", "Z_2STUDENTS")
        == [[1, 1], [2, 1], [2, 3]]
    )
  }

  /// The range of the second mapping begins after that of the first, whatever the least key is.
  @Test func `the least key that SQLite can hold is a key like any other`() throws {
    let model = try ManagedObjectModel.of(EntityDescription("A"), EntityDescription("B"))
    let store = TestStore(model, TestObject("A", .min), TestObject("A", 7), TestObject("B", 1))
    let made = try migrate(
      store,
      to: .of(EntityDescription("Tag")),
      by: .of("A", "Tag"),
      .of("B", "Tag")
    ).destination
    #expect(
      try made.rows("SELECT Z_PK FROM ZTAG ORDER BY 1")
        == [[-9_223_372_036_854_775_808], [7], [8]]
    )
  }

  @Test func `keys that do not fit behind those of another mapping are refused`() throws {
    let model = try ManagedObjectModel.of(EntityDescription("A"), EntityDescription("B"))
    let store = TestStore(model, TestObject("A", 1), TestObject("B", .min), TestObject("B", .max))
    let error = #expect(throws: PlanError.self) {
      try migrate(store, to: .of(EntityDescription("Tag")), by: .of("A", "Tag"), .of("B", "Tag"))
    }
    #expect(error?.description == "entity mapping BToTag: no keys are left in table ZTAG")
  }
}
