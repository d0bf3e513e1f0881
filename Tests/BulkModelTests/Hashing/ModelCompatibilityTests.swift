import BulkModel
import Testing

struct ModelCompatibilityTests {
  private static func model(
    _ change: (inout EntityDescription) -> Void = { _ in }
  )
    throws -> ManagedObjectModel
  {
    var note = EntityDescription("Note")
    note.attributes = [AttributeDescription("title", .string)]
    note.relationships = [RelationshipDescription("book", to: "Book")]
    change(&note)
    return try ManagedObjectModel(entities: [note, .init("Book")])
  }

  private static func differences(_ change: (inout EntityDescription) -> Void) throws -> [String] {
    try ModelDifferences(from: model(), to: model(change)).lines
  }

  @Test func `a store fits the model that wrote it`() throws {
    let compatibility = try ModelCompatibility(
      storeHashes: Self.model().entityVersionHashesByName,
      model: Self.model()
    )
    #expect(compatibility.differences == [])
  }

  @Test func `every entity that differs is named`() throws {
    let names = ["Book", "Page"]
    let compatibility = ModelCompatibility(
      storeHashes: try Self.model().entityVersionHashesByName,
      model: try ManagedObjectModel(entities: names.map(EntityDescription.init))
    )
    #expect(compatibility.missingEntities == ["Note"])
    #expect(compatibility.additionalEntities == ["Page"])
    #expect(compatibility.differingEntities == [])
    #expect(
      compatibility.differences == [
        "Note: in the store, not in the model", "Page: in the model, not in the store",
      ]
    )
  }

  @Test func `an entity with another hash is named`() throws {
    let compatibility = ModelCompatibility(
      storeHashes: try Self.model().entityVersionHashesByName,
      model: try Self.model { $0.isAbstract = true }
    )
    #expect(compatibility.differences == ["Note: the version hashes differ"])
  }

  @Test func `changed settings are told with both values`() throws {
    #expect(try Self.differences { $0.isAbstract = true } == ["Note: isAbstract false → true"])
    #expect(
      try Self.differences { $0.attributes[0].attributeType = .integer64 }
        == ["Note.title: type String → Integer 64"]
    )
    #expect(
      try Self.differences { $0.relationships[0].isToMany = true }
        == ["Note.book: isToMany false → true"]
    )
    #expect(
      try Self.differences { $0.versionHashModifier = "2" }
        == ["Note: versionHashModifier none → 2"]
    )
    #expect(
      try Self.differences { $0.uniquenessConstraints = [["title"]] }
        == ["Note: uniqueness constraints none → (title)"]
    )
  }

  @Test func `added and removed properties and entities are told`() throws {
    #expect(
      try Self.differences { $0.attributes.append(AttributeDescription("image", .binaryData)) }
        == ["Note.image: attribute added"]
    )
    #expect(
      try Self.differences { $0.relationships = [] } == ["Note.book: relationship removed"]
    )
    let empty = try ManagedObjectModel(entities: [EntityDescription("Page")])
    #expect(
      try ModelDifferences(from: Self.model(), to: empty).lines
        == ["Book: entity removed", "Note: entity removed", "Page: entity added"]
    )
  }

  @Test func `a new renaming identifier is not a difference`() throws {
    #expect(try Self.differences { $0.renamingIdentifier = "Memo" } == [])
  }
}
