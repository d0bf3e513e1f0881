import BulkTestSupport
import Testing

struct CompiledModelTests {
  private static func model() throws -> ManagedObjectModel {
    var note = EntityDescription("Note")
    note.attributes = [AttributeDescription("title", .string)]
    note.attributes[0].isOptional = true
    note.attributes[0].defaultValue = .string("new")
    var book = RelationshipDescription("book", to: "Book")
    book.inverseName = "notes"
    note.relationships = [book]
    var notes = RelationshipDescription("notes", to: "Note")
    (notes.inverseName, notes.isToMany, notes.maxCount) = ("book", true, 0)
    var shelf = EntityDescription("Book")
    shelf.relationships = [notes]
    var draft = EntityDescription("Draft")
    draft.superentityName = "Note"
    return try ManagedObjectModel(entities: [note, shelf, draft], versionIdentifiers: ["1"])
  }

  private static func archive() throws -> KeyedArchive {
    try KeyedArchive(CompiledModelWriter.archive(of: model()))
  }

  @Test func `a property in the archive has the keys that Core Data writes`() throws {
    let entities = try #require(try Self.archive().root?["NSEntities"]?.entries)
    #expect(entities.map(\.key) == ["Book", "Draft", "Note"])
    let note = try #require(entities[2].value)
    let title = try #require(note["NSProperties"]?.entries?.first { $0.key == "title" }?.value)
    #expect(
      title.keys == [
        "NSAttributeType", "NSAttributeValueClassName", "NSDefaultValue", "NSEntity", "NSFlagsKey",
        "NSIsOptional", "NSPropertyName", "NSRenamingIdentifier", "NSValueTransformerName", "_P",
      ]
    )
    // 243 is what optional attributes without anything else have in every cache.
    #expect(title["_P"]?.integer == 243)
    #expect(title["NSAttributeValueClassName"]?.string == "NSString")
    #expect(title["NSEntity"]?.index == note.index)
  }

  @Test func `a subentity in the archive holds copies of what it inherits`() throws {
    let entities = try #require(try Self.archive().root?["NSEntities"]?.entries)
    let draft = try #require(entities[1].value)
    let properties = try #require(draft["NSProperties"]?.entries)
    #expect(properties.map(\.key) == ["book", "title"])
    #expect(properties[1].value?["NSEntity"]?.index == draft.index)
    #expect(draft["NSSuperentity"]?.index == entities[2].value?.index)
    #expect(entities[2].value?["NSSubentities"]?.entries?.map(\.key) == ["Draft"])
    let inverse = properties[0].value?["NSInverseRelationship"]
    #expect(inverse?["NSPropertyName"]?.string == "notes")
  }

  @Test func `equal models give equal archives`() throws {
    #expect(
      try CompiledModelWriter.archive(of: Self.model())
        == CompiledModelWriter.archive(of: Self.model())
    )
  }

  @Test func `the cache of a store gives back its model`() throws {
    let bytes = try ModelCache.bytes(of: Self.model())
    #expect(try ModelCache.model(from: bytes) == Self.model())
  }

  @Test func `a cache that is not a packed model is refused`() {
    #expect(throws: ModelError.self) { try ModelCache.model(from: [0xFF, 0xFF]) }
    #expect(throws: ModelError.self) { try ModelCache.model(from: RawDeflate.deflate([1, 2])) }
  }

  @Test func `an archive of something else is refused by name`() throws {
    var writer = KeyedArchiveWriter()
    let root = writer.add(class: .init("NSMappingModel"), [:])
    let bytes = BinaryPropertyListWriter.write(writer.finish(root: root))
    #expect(
      throws: ModelError.notAModel(path: "a.cdm", reason: "its archive holds a NSMappingModel")
    ) { try ManagedObjectModel.model(archive: bytes, path: "a.cdm") }
  }

  @Test func `an archive that is cut anywhere is refused`() throws {
    let bytes = try CompiledModelWriter.archive(of: Self.model())
    for length in bytes.indices {
      #expect(throws: ModelError.self) {
        try ManagedObjectModel.model(archive: Array(bytes[..<length]), path: "cut")
      }
    }
  }

  @Test(arguments: 0..<8)
  func `an archive with a wrong bit gives an error or a model`(bit: Int) throws {
    let bytes = try CompiledModelWriter.archive(of: Self.model())
    for index in RandomSeeds.some(of: Array(bytes.indices), every: 3) {
      var wrong = bytes
      wrong[index] ^= 1 << UInt8(bit)
      let model = try? ManagedObjectModel.model(archive: wrong, path: "wrong")
      #expect((model?.entities.count ?? 0) <= 3)
      _ = model?.entityVersionHashesByName
    }
  }
}
