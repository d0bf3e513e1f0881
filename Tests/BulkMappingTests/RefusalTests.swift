import BulkMapping
import BulkModel
import BulkTestSupport
import Testing

@Suite("What cannot be inferred")
struct RefusalTests {
  @Test func `a required attribute that is new needs a default value`() throws {
    #expect(
      try refusals(EntityDescription("Note"), EntityDescription("Note", [.required("title")])) == [
        "Note.title: it is new and required but has no default value for the objects that are "
          + "there; make it optional or give it one"
      ]
    )
  }

  @Test func `a required attribute of a new entity needs none`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(EntityDescription("Note")),
      to: .of(EntityDescription("Note"), EntityDescription("Tag", [.required("name")]))
    )
    #expect(mapping.entityMappings.map(\.name) == ["IEM_Copy_Note", "IEM_Add_Tag"])
  }

  @Test func `an optional attribute that becomes required needs a default value`() throws {
    #expect(
      try refusals(
        EntityDescription("Note", [.optional("title")]),
        EntityDescription("Note", [.required("title")])
      ) == [
        "Note.title: it becomes required but has no default value for objects without one; "
          + "keep it optional or give it one"
      ]
    )
  }

  @Test(arguments: [
    (AttributeType.integer16, AttributeType.integer32, "Integer 16 to Integer 32"),
    (.integer64, .integer16, "Integer 64 to Integer 16"),
    (.string, .date, "String to Date"),
    (.double, .float, "Double to Float"),
    (.boolean, .integer16, "Boolean to Integer 16"),
    (.binaryData, .transformable, "Binary to Transformable"),
  ])
  func `a type does not change`(_ old: AttributeType, _ new: AttributeType, words: String) throws {
    #expect(
      try refusals(
        EntityDescription("Note", [.optional("value", old)]),
        EntityDescription("Note", [.optional("amount", new, id: "value")])
      ) == ["Note.amount: its type changes from \(words); write a mapping model"]
    )
  }

  @Test func `a type inside a composite attribute does not change`() throws {
    #expect(
      try refusals(
        EntityDescription("Note", [.composite("place", [.optional("street", .string)])]),
        EntityDescription("Note", [.composite("place", [.optional("street", .integer16)])])
      ) == [
        "Note.place.street: its type changes from String to Integer 16; write a mapping model"
      ]
    )
  }

  @Test func `a relationship that leads elsewhere is refused`() throws {
    let others = [EntityDescription("Tag"), EntityDescription("Folder")]
    #expect(
      try refusals(
        from: ManagedObjectModel(
          entities: others + [EntityDescription("Note", [], [.toOne("owner", "Tag")])]
        ),
        to: ManagedObjectModel(
          entities: others + [EntityDescription("Note", [], [.toOne("owner", "Folder")])]
        )
      ) == [
        "Note.owner: it led to Tag and now leads to Folder, which continues no entity of the old "
          + "kind; write a mapping model"
      ]
    )
  }

  @Test func `hierarchies cannot be merged`() throws {
    #expect(
      try refusals(
        from: .of(EntityDescription("Cat"), EntityDescription("Dog")),
        to: .of(
          EntityDescription("Animal", isAbstract: true),
          EntityDescription("Cat", under: "Animal"),
          EntityDescription("Dog", under: "Animal")
        )
      ) == [
        "Animal: hierarchies cannot be merged: Cat, Dog have no common parent in the source, so "
          + "they may not share one in the destination; write a mapping model"
      ]
    )
  }

  @Test func `an entity cannot move into another hierarchy`() throws {
    #expect(
      try refusals(
        from: .of(EntityDescription("Animal"), EntityDescription("Dog")),
        to: .of(EntityDescription("Animal"), EntityDescription("Dog", under: "Animal"))
      ) == [
        "Animal: hierarchies cannot be merged: Animal, Dog have no common parent in the source, so "
          + "they may not share one in the destination; write a mapping model"
      ]
    )
  }

  @Test func `a required attribute is new to the siblings of its old owner`() throws {
    #expect(
      try refusals(
        from: .of(
          EntityDescription("Animal", isAbstract: true),
          EntityDescription("Cat", under: "Animal", [.required("lives", .integer16)]),
          EntityDescription("Dog", under: "Animal")
        ),
        to: .of(
          EntityDescription("Animal", isAbstract: true, [.required("lives", .integer16)]),
          EntityDescription("Cat", under: "Animal"),
          EntityDescription("Dog", under: "Animal")
        )
      ) == [
        "Animal.lives: it is new and required but has no default value for the objects that are "
          + "there; make it optional or give it one"
      ]
    )
  }

  @Test func `every refusal is told at once, by entity and property`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Zoo"),
      EntityDescription("Cat"),
      EntityDescription("Dog"),
      EntityDescription(
        "Note",
        [.optional("title"), .optional("size", .integer16)],
        [.toOne("owner", "Cat")]
      )
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Zoo", [.required("name")]),
      EntityDescription("Park", id: "Zoo"),
      EntityDescription("Animal"),
      EntityDescription("Cat", under: "Animal"),
      EntityDescription("Dog", under: "Animal"),
      EntityDescription(
        "Note",
        [.required("title"), .optional("size", .integer64)],
        [.toOne("owner", "Note")]
      )
    )
    let error = try #require(throws: InferenceError.self) {
      try MappingModel.inferred(from: source, to: destination)
    }
    #expect(
      error.description == """
        no mapping can be inferred between the two models, for 6 reasons:
          Animal: hierarchies cannot be merged: Cat, Dog have no common parent in the source, so \
        they may not share one in the destination; write a mapping model
          Note.owner: it led to Cat and now leads to Note, which continues no entity of the old \
        kind; write a mapping model
          Note.size: its type changes from Integer 16 to Integer 64; write a mapping model
          Note.title: it becomes required but has no default value for objects without one; keep \
        it optional or give it one
          Park: another entity of the same model also goes by Zoo; give each a renaming identifier \
        of its own
          Zoo.name: it is new and required but has no default value for the objects that are \
        there; make it optional or give it one
        """
    )
  }
}
