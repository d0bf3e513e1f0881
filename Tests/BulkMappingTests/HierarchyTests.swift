import BulkMapping
import BulkModel
import BulkTestSupport
import Testing

@Suite("Changes of hierarchies")
struct HierarchyTests {
  private static let animal = EntityDescription("Animal", [.optional("name")])

  @Test func `an entity gets a new parent`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(EntityDescription("Cat", [.optional("name")])),
      to: .of(Self.animal, EntityDescription("Cat", under: "Animal"))
    )
    #expect(
      lines(mapping) == [
        "IEM_Add_Animal add nothing -> Animal",
        "IEM_Transform_Cat transform Cat -> Cat",
        "  name = $source.name",
      ]
    )
  }

  @Test func `an entity is put between two others`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(Self.animal, EntityDescription("Cat", under: "Animal")),
      to: .of(
        Self.animal,
        EntityDescription("Feline", under: "Animal"),
        EntityDescription("Cat", under: "Feline")
      )
    )
    #expect(
      lines(mapping) == [
        "IEM_Copy_Animal copy Animal -> Animal",
        "  name = $source.name",
        "IEM_Transform_Cat transform Cat -> Cat",
        "  name = $source.name",
        "IEM_Add_Feline add nothing -> Feline",
      ]
    )
  }

  @Test func `an attribute moves up and is new to the siblings`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(
        Self.animal,
        EntityDescription("Cat", under: "Animal", [.optional("lives", .integer16)]),
        EntityDescription("Dog", under: "Animal")
      ),
      to: .of(
        EntityDescription("Animal", [.optional("name"), .optional("lives", .integer16)]),
        EntityDescription("Cat", under: "Animal"),
        EntityDescription("Dog", under: "Animal")
      )
    )
    #expect(
      lines(mapping) == [
        "IEM_Transform_Animal transform Animal -> Animal",
        "  lives = its default",
        "  name = $source.name",
        "IEM_Transform_Cat transform Cat -> Cat",
        "  lives = $source.lives",
        "  name = $source.name",
        "IEM_Transform_Dog transform Dog -> Dog",
        "  lives = its default",
        "  name = $source.name",
      ]
    )
  }

  @Test func `an attribute and a relationship move down`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(
        EntityDescription("Animal", [.optional("lives", .integer16)], [.toOne("friend", "Animal")]),
        EntityDescription("Cat", under: "Animal")
      ),
      to: .of(
        EntityDescription("Animal"),
        EntityDescription(
          "Cat",
          under: "Animal",
          [.optional("lives", .integer16)],
          [.toOne("friend", "Animal")]
        )
      )
    )
    #expect(
      lines(mapping) == [
        "IEM_Transform_Animal transform Animal -> Animal",
        "IEM_Transform_Cat transform Cat -> Cat",
        "  lives = $source.lives",
        "  friend = FUNCTION($manager, "
          + "\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"friend\", "
          + "$source.friend)",
      ]
    )
  }

  @Test func `an entity is taken out of its hierarchy`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(Self.animal, EntityDescription("Cat", under: "Animal")),
      to: .of(Self.animal, EntityDescription("Cat", [.optional("name")]))
    )
    #expect(
      lines(mapping) == [
        "IEM_Copy_Animal copy Animal -> Animal",
        "  name = $source.name",
        "IEM_Transform_Cat transform Cat -> Cat",
        "  name = $source.name",
      ]
    )
  }

  @Test func `a parent that is taken away leaves its children alone`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(
        EntityDescription("Animal", isAbstract: true, [.optional("name")]),
        EntityDescription("Cat", under: "Animal"),
        EntityDescription("Dog", under: "Animal")
      ),
      to: .of(
        EntityDescription("Cat", [.optional("name")]),
        EntityDescription("Dog", [.optional("name")])
      )
    )
    #expect(
      lines(mapping) == [
        "IEM_Transform_Cat transform Cat -> Cat",
        "  name = $source.name",
        "IEM_Transform_Dog transform Dog -> Dog",
        "  name = $source.name",
        "IEM_Remove_Animal remove Animal -> nothing",
      ]
    )
  }

  @Test func `siblings may get another parent of their own hierarchy`() throws {
    let mapping = try MappingModel.inferred(
      from: .of(
        Self.animal,
        EntityDescription("Cat", under: "Animal"),
        EntityDescription("Dog", under: "Cat")
      ),
      to: .of(
        Self.animal,
        EntityDescription("Cat", under: "Dog"),
        EntityDescription("Dog", under: "Animal")
      )
    )
    #expect(
      mapping.entityMappings.map(\.name)
        == ["IEM_Copy_Animal", "IEM_Transform_Cat", "IEM_Transform_Dog"]
    )
  }
}
