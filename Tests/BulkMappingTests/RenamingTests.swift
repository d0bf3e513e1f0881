import BulkMapping
import BulkModel
import BulkTestSupport
import Testing

@Suite("Renaming identifiers")
struct RenamingTests {
  // formats/migration.md 2.2
  @Test(arguments: [nil, "Remark"] as [String?])
  func `an entity is renamed when the new version carries its old name or both one identifier`(
    sourceIdentifier: String?
  ) throws {
    #expect(
      try inferred(
        EntityDescription("Remark", id: sourceIdentifier, [.optional("title")]),
        EntityDescription("Note", id: "Remark", [.optional("title")])
      ) == [
        "IEM_Transform_Note transform Remark -> Note",
        "  title = $source.title",
      ]
    )
  }

  @Test func `an entity is renamed when both versions carry an identifier that is no name`() throws
  {
    #expect(
      try inferred(
        EntityDescription("Remark", id: "entity-7", [.optional("title")]),
        EntityDescription("Note", id: "entity-7", [.optional("title")])
      ) == [
        "IEM_Transform_Note transform Remark -> Note",
        "  title = $source.title",
      ]
    )
  }

  @Test(arguments: [nil, "colour", "attribute-1"] as [String?])
  func `an attribute is renamed by either convention`(sourceIdentifier: String?) throws {
    #expect(
      try inferred(
        EntityDescription("Note", [.optional("colour", id: sourceIdentifier)]),
        EntityDescription("Note", [.optional("paint", id: sourceIdentifier ?? "colour")])
      ) == [
        "IEM_Transform_Note transform Note -> Note",
        "  paint = $source.colour",
      ]
    )
  }

  @Test(arguments: [nil, "parent", "relationship-1"] as [String?])
  func `a relationship is renamed by either convention`(sourceIdentifier: String?) throws {
    #expect(
      try inferred(
        EntityDescription("Note", [], [.toOne("parent", "Note", id: sourceIdentifier)]),
        EntityDescription("Note", [], [.toOne("above", "Note", id: sourceIdentifier ?? "parent")])
      ) == [
        "IEM_Transform_Note transform Note -> Note",
        "  above = FUNCTION($manager, "
          + "\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"parent\", "
          + "$source.parent)",
      ]
    )
  }

  /// Three versions of one entity and attribute; the identifier is the first version's name.
  private static let versions = [
    EntityDescription("Car", [.optional("colour")]),
    EntityDescription("Automobile", id: "Car", [.optional("paint", id: "colour")]),
    EntityDescription("Vehicle", id: "Car", [.optional("coat", id: "colour")]),
  ]

  @Test(arguments: [
    (0, 1, ["IEM_Transform_Automobile transform Car -> Automobile", "  paint = $source.colour"]),
    (1, 2, ["IEM_Transform_Vehicle transform Automobile -> Vehicle", "  coat = $source.paint"]),
    (0, 2, ["IEM_Transform_Vehicle transform Car -> Vehicle", "  coat = $source.colour"]),
  ])
  func `a thing that is renamed twice is found from every version to every later one`(
    source: Int,
    destination: Int,
    expected: [String]
  ) throws {
    #expect(try inferred(Self.versions[source], Self.versions[destination]) == expected)
  }

  @Test func `each version may carry the name of the version before it`() throws {
    #expect(
      try inferred(
        EntityDescription(
          "Automobile",
          id: "Car",
          [.optional("paint", id: "colour")],
          [.toOne("next", "Automobile", id: "following")]
        ),
        EntityDescription(
          "Vehicle",
          id: "Automobile",
          [.optional("coat", id: "paint")],
          [.toOne("after", "Vehicle", id: "next")]
        )
      ) == [
        "IEM_Transform_Vehicle transform Automobile -> Vehicle",
        "  coat = $source.paint",
        "  after = FUNCTION($manager, "
          + "\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"next\", "
          + "$source.next)",
      ]
    )
  }

  @Test func `an identifier that is dropped again does not lose what keeps its name`() throws {
    #expect(
      try inferred(
        EntityDescription("Automobile", id: "Car", [.optional("paint", id: "colour")]),
        EntityDescription("Automobile", [.optional("paint"), .optional("wheels", .integer16)])
      ) == [
        "IEM_Transform_Automobile transform Automobile -> Automobile",
        "  paint = $source.paint",
        "  wheels = its default",
      ]
    )
  }

  @Test func `what is copied keeps every value, whatever its identifiers say`() throws {
    // The version hashes do not hold identifiers, so Core Data finds nothing changed in the entity.
    #expect(
      try inferred(
        EntityDescription("Car", [.required("paint")]),
        EntityDescription("Car", [.required("paint", id: "other")])
      ) == [
        "IEM_Copy_Car copy Car -> Car",
        "  paint = $source.paint",
      ]
    )
  }

  @Test func `an identifier of its own makes an attribute of the same name a new one`() throws {
    #expect(
      try inferred(
        EntityDescription("Car", [.optional("age", .string)]),
        EntityDescription("Car", [.optional("age", .integer16, id: "age in years")])
      ) == [
        "IEM_Transform_Car transform Car -> Car",
        "  age = its default",
      ]
    )
  }

  @Test func `two attributes swap their names`() throws {
    let swapped = try inferred(
      EntityDescription("Car", [.optional("left"), .optional("right")]),
      EntityDescription(
        "Car",
        [.optional("left", id: "right"), .optional("right", id: "left"), .optional("top")]
      )
    )
    #expect(
      swapped == [
        "IEM_Transform_Car transform Car -> Car",
        "  left = $source.right",
        "  right = $source.left",
        "  top = its default",
      ]
    )
  }

  @Test func `a name that is used anew beside the thing that had it is refused`() throws {
    #expect(
      try refusals(
        from: .of(EntityDescription("Automobile", id: "Car")),
        to: .of(
          EntityDescription("Automobile", [.optional("name")]),
          EntityDescription("Vehicle", id: "Automobile")
        )
      ) == [
        "Vehicle: another entity of the same model also goes by Automobile; "
          + "give each a renaming identifier of its own"
      ]
    )
  }

  @Test func `two entities of one identifier that keep their names are the same by name`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(EntityDescription("Car"), EntityDescription("Vehicle", id: "Car")),
      to: .of(
        EntityDescription("Car"),
        EntityDescription("Vehicle", id: "Car", [.optional("name")])
      )
    )
    #expect(
      lines(mapping) == [
        "IEM_Copy_Car copy Car -> Car",
        "IEM_Transform_Vehicle transform Vehicle -> Vehicle",
        "  name = its default",
      ]
    )
  }

  // formats/migration.md 2.1
  @Test func `two entities of one identifier are refused`() throws {
    #expect(
      try refusals(
        from: .of(EntityDescription("Car")),
        to: .of(EntityDescription("Car"), EntityDescription("Vehicle", id: "Car"))
      ) == [
        "Vehicle: another entity of the same model also goes by Car; "
          + "give each a renaming identifier of its own"
      ]
    )
  }

  @Test func `two entities of the source with one identifier are refused`() throws {
    #expect(
      try refusals(
        from: .of(EntityDescription("Car"), EntityDescription("Vehicle", id: "Car")),
        to: .of(EntityDescription("Car", [.optional("name")]))
      ) == [
        "Vehicle: another entity of the same model also goes by Car; "
          + "give each a renaming identifier of its own"
      ]
    )
  }

  // formats/migration.md 2.1
  @Test func `two attributes of one identifier are refused`() throws {
    #expect(
      try refusals(
        EntityDescription("Car", [.optional("colour")]),
        EntityDescription("Car", [.optional("colour"), .optional("paint", id: "colour")])
      ) == [
        "Car.paint: another attribute of the same entity also goes by colour; "
          + "give each a renaming identifier of its own"
      ]
    )
  }

  @Test func `two relationships of one identifier are refused, inherited ones too`() throws {
    let source = EntityDescription("Car", [], [.toOne("next", "Car")])
    #expect(
      try refusals(
        from: .of(source, EntityDescription("Bus", under: "Car")),
        to: .of(
          source,
          EntityDescription("Bus", under: "Car", [], [.toOne("follower", "Car", id: "next")])
        )
      ) == [
        "Bus.follower: another relationship of the same entity also goes by next; "
          + "give each a renaming identifier of its own"
      ]
    )
  }
}
