import BulkMapping
import BulkModel
import BulkTestSupport
import Testing

/// The rules are those of Core Data's documentation of lightweight migration; the names of entity
/// mappings are those that several independent projects reproduce.
@Suite("Inferred mapping models")
struct InferredMappingTests {
  // formats/migration.md 2.3
  @Test func `an entity that stays as it is is copied`() throws {
    let note = EntityDescription("Note", [.optional("title")])
    #expect(
      try inferred(note, note) == [
        "IEM_Copy_Note copy Note -> Note",
        "  title = $source.title",
      ]
    )
  }

  @Test func `an entity that is new is added`() throws {
    let note = EntityDescription("Note", [.optional("title")])
    let mapping = try MappingModel.inferred(
      from: .of(note),
      to: .of(note, EntityDescription("Attachment", [.required("name")]))
    )
    #expect(
      lines(mapping) == [
        "IEM_Add_Attachment add nothing -> Attachment",
        "IEM_Copy_Note copy Note -> Note",
        "  title = $source.title",
      ]
    )
  }

  @Test func `an entity that is gone is removed, after all others`() throws {
    let note = EntityDescription("Note", [.optional("title")])
    let mapping = try MappingModel.inferred(
      from: .of(note, EntityDescription("Attachment"), EntityDescription("Zebra")),
      to: .of(note)
    )
    #expect(
      lines(mapping) == [
        "IEM_Copy_Note copy Note -> Note",
        "  title = $source.title",
        "IEM_Remove_Attachment remove Attachment -> nothing",
        "IEM_Remove_Zebra remove Zebra -> nothing",
      ]
    )
  }

  // formats/migration.md 2.2
  @Test func `entity mappings stand in the code-unit order of their destinations`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(EntityDescription("b"), EntityDescription("Z"), EntityDescription("A")),
      to: .of(EntityDescription("b"), EntityDescription("Z"), EntityDescription("A"))
    )
    #expect(mapping.entityMappings.map(\.name) == ["IEM_Copy_A", "IEM_Copy_Z", "IEM_Copy_b"])
  }

  @Test func `an attribute that is new gets its default value`() throws {
    #expect(
      try inferred(
        EntityDescription("Note", [.optional("title")]),
        EntityDescription(
          "Note",
          [.optional("title"), .optional("subtitle"), .required("stars", .integer16, default: 3)]
        )
      ) == [
        "IEM_Transform_Note transform Note -> Note",
        "  stars = its default",
        "  subtitle = its default",
        "  title = $source.title",
      ]
    )
  }

  @Test func `an attribute that is gone is not mentioned`() throws {
    #expect(
      try inferred(
        EntityDescription("Note", [.optional("title"), .optional("subtitle")]),
        EntityDescription("Note", [.optional("title")])
      ) == [
        "IEM_Transform_Note transform Note -> Note",
        "  title = $source.title",
      ]
    )
  }

  @Test func `a required attribute may become optional`() throws {
    #expect(
      try inferred(
        EntityDescription("Note", [.required("title")]),
        EntityDescription("Note", [.optional("title")])
      ) == [
        "IEM_Transform_Note transform Note -> Note",
        "  title = $source.title",
      ]
    )
  }

  @Test func `an optional attribute becomes required with the default value for nil`() throws {
    #expect(
      try inferred(
        EntityDescription("Note", [.optional("title")]),
        EntityDescription("Note", [.required("title", default: "untitled")])
      ) == [
        "IEM_Transform_Note transform Note -> Note",
        "  title = FUNCTION($entityPolicy, "
          + "\"_nonNilValueOrDefaultValueForAttribute:source:destination:\", \"title\", $source, "
          + "$destination)",
      ]
    )
  }

  @Test func `an optional attribute with another default value keeps nil`() throws {
    #expect(
      try inferred(
        EntityDescription("Note", [.optional("title", default: "a"), .optional("other")]),
        EntityDescription("Note", [.optional("title", default: "b")])
      ) == [
        "IEM_Transform_Note transform Note -> Note",
        "  title = $source.title",
      ]
    )
  }

  // formats/migration.md 2.4
  @Test func `a transient attribute that becomes persistent is new`() throws {
    var transient = AttributeDescription.optional("title")
    transient.isTransient = true
    #expect(
      try inferred(
        EntityDescription("Note", [transient]),
        EntityDescription("Note", [.optional("title")])
      ) == [
        "IEM_Transform_Note transform Note -> Note",
        "  title = its default",
      ]
    )
  }

  @Test func `a derived attribute is not mapped`() throws {
    #expect(
      try inferred(
        EntityDescription("Note", [.optional("title")]),
        EntityDescription(
          "Note",
          [
            .optional("title"),
            .derived("lower", .string, .predefined(selector: "lowercase:", arguments: [])),
          ]
        )
      ) == [
        "IEM_Transform_Note transform Note -> Note",
        "  title = $source.title",
      ]
    )
  }

  @Test func `a relationship that stays takes its objects from the source's`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(
        EntityDescription("Note", [], [.toOne("folder", "Folder", inverse: "notes")]),
        EntityDescription("Folder", [], [.toMany("notes", "Note", inverse: "folder")])
      ),
      to: .of(
        EntityDescription("Note", [], [.toMany("folder", "Folder", inverse: "notes")]),
        EntityDescription(
          "Folder",
          [],
          [.toMany("notes", "Note", inverse: "folder"), .toOne("parent", "Folder")]
        )
      )
    )
    #expect(
      lines(mapping) == [
        "IEM_Transform_Folder transform Folder -> Folder",
        "  notes = FUNCTION($manager, "
          + "\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"notes\", "
          + "$source.notes)",
        "  parent = its default",
        "IEM_Transform_Note transform Note -> Note",
        "  folder = FUNCTION($manager, "
          + "\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"folder\", "
          + "$source.folder)",
      ]
    )
  }
}
