import BulkMapping
import BulkModel
import BulkTestSupport
import Testing

/// Worked examples of requirements.md, at the level of tables.
@Suite("Migrations by mapping models")
struct MappedMigrationTests {
  /// UnCloudNotes v2 to v3 (U-2): a note with an image becomes a note and an attachment.
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
}
