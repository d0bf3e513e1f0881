import BulkMapping
import BulkModel
import BulkTestSupport
import Testing

@Suite("What cannot be inferred")
struct RefusalTests {
  // formats/migration.md 2.10, 2.11
  @Test(arguments: [[], [AttributeDescription.optional("title")]])
  func `whether a required attribute without a default value has values is left to the rows`(
    before: [AttributeDescription]
  ) throws {
    let lines = try inferred(
      EntityDescription("Note", before),
      EntityDescription("Note", [.required("title")])
    )
    #expect(lines.first == "IEM_Transform_Note transform Note -> Note")
  }

  @Test func `a required attribute of a new entity needs none`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(EntityDescription("Note")),
      to: .of(EntityDescription("Note"), EntityDescription("Tag", [.required("name")]))
    )
    #expect(mapping.entityMappings.map(\.name) == ["IEM_Copy_Note", "IEM_Add_Tag"])
  }

  // formats/migration.md 2.6
  @Test(
    arguments: AttributeType.allCases.filter(\.isNumber),
    AttributeType.allCases.filter(\.isNumber)
  )
  func `a number becomes one of another type`(_ old: AttributeType, _ new: AttributeType) throws {
    let lines = try inferred(
      EntityDescription("Note", [.optional("value", old)]),
      EntityDescription("Note", [.optional("amount", new, id: "value")])
    )
    #expect(lines.last == "  amount = $source.value")
  }

  // formats/migration.md 2.7
  @Test(arguments: [
    (AttributeType.string, AttributeType.date, "String to Date"),
    (.date, .double, "Date to Double"), (.integer16, .string, "Integer 16 to String"),
    (.binaryData, .transformable, "Binary to Transformable"),
  ])
  func `a type other than a number does not change`(
    _ old: AttributeType,
    _ new: AttributeType,
    words: String
  ) throws {
    #expect(
      try refusals(
        EntityDescription("Note", [.optional("value", old)]),
        EntityDescription("Note", [.optional("amount", new, id: "value")])
      ) == [
        "Note.amount: it continues value, and its type changes from \(words); say how in a mapping "
          + "file, which mapping --init begins"
      ]
    )
  }

  // formats/migration.md 2.8
  @Test(arguments: [
    (AttributeType.binaryData, AttributeType.transformable), (.transformable, .binaryData),
  ])
  func `bytes become a transformed object and back where the user info says so`(
    _ old: AttributeType,
    _ new: AttributeType
  ) throws {
    var amount = AttributeDescription.optional("amount", new, id: "value")
    amount.userInfo["NSMigrationAllowTypeTransformation"] = "YES"
    let value = AttributeDescription.optional("value", old)
    let lines = try inferred(
      EntityDescription("Note", [value]),
      EntityDescription("Note", [amount])
    )
    #expect(lines.last == "  amount = $source.value")
    var apart = old == .binaryData ? value : amount
    apart.allowsExternalBinaryDataStorage = true
    #expect(
      try refusals(
        EntityDescription("Note", [old == .binaryData ? apart : value]),
        EntityDescription("Note", [old == .binaryData ? amount : apart])
      ).count == 1
    )
  }

  @Test func `a type inside a composite attribute does not change`() throws {
    #expect(
      try refusals(
        EntityDescription("Note", [.composite("place", [.optional("street", .string)])]),
        EntityDescription("Note", [.composite("place", [.optional("street", .integer16)])])
      ) == [
        "Note.place.street: its type changes from String to Integer 16; say how in a mapping file, which mapping --init begins"
      ]
    )
  }

  // formats/migration.md 2.17
  @Test func `a relationship may lead elsewhere`() throws {
    let others = [EntityDescription("Tag"), EntityDescription("Folder")]
    let mapping = try MappingModel.inferred(
      from: ManagedObjectModel(
        entities: others + [EntityDescription("Note", [], [.toOne("owner", "Tag")])]
      ),
      to: ManagedObjectModel(
        entities: others + [EntityDescription("Note", [], [.toOne("owner", "Folder")])]
      )
    )
    #expect(mapping.entityMappings.map(\.name).contains("IEM_Transform_Note"))
  }

  // formats/migration.md 2.18
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
      EntityDescription("Zoo"),
      EntityDescription("Park", id: "Zoo"),
      EntityDescription("Animal"),
      EntityDescription("Cat", under: "Animal"),
      EntityDescription("Dog", under: "Animal"),
      EntityDescription(
        "Note",
        [.optional("title"), .optional("size", .date)],
        [.toOne("owner", "Note")]
      )
    )
    let error = try #require(throws: InferenceError.self) {
      try MappingModel.inferred(from: source, to: destination)
    }
    #expect(
      error.description == """
        no mapping can be inferred between the two models, for 3 reasons:
          Animal: hierarchies cannot be merged: Cat, Dog have no common parent in the source, so \
        they may not share one in the destination; write a mapping model
          Note.size: its type changes from Integer 16 to Date; say how in a mapping file, which mapping --init begins
          Park: another entity of the same model also goes by Zoo; give each a renaming identifier \
        of its own
        """
    )
  }
}
