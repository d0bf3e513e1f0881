import BulkMapping
import BulkModel
import BulkPlan
import BulkTestSupport
import BulkVersions
import Testing

/// Steps of which one gives several objects to a relationship of one, which only its objects show
/// (formats/migration.md 8.11).
@Suite("Legs with several objects for a relationship of one")
struct SeveralObjectLegTests {
  private static let tag = EntityDescription("Tag", [.optional("name")])

  private static func model(
    _ relationships: RelationshipDescription...
  ) throws
    -> ManagedObjectModel
  {
    try .of(EntityDescription("Note", [.optional("title")], relationships), tag)
  }

  /// A note with two tags becomes one with a tag, and then of another model.
  private static func chain(
    _ tag: String,
    to last: ManagedObjectModel
  ) throws -> Chain {
    let store = TestStore(
      try .of(
        EntityDescription(
          "Note",
          [.optional("title")],
          [.toMany("tags", "Tag", inverse: "notes")]
        ),
        EntityDescription("Tag", [.optional("name")], [.toMany("notes", "Note", inverse: "tags")])
      ),
      TestObject("Note", 1, links: ["tags": [1, 2]]),
      TestObject("Tag", 1),
      TestObject("Tag", 2)
    )
    let directory = try TemporaryDirectory()
    _ = try store.write(to: directory.path("store.sqlite"))
    func mapping(_ links: [String: String]) throws -> MappingModel {
      MappingModel(entityMappings: [
        try .of("Note", "Note", ["title": "$source.title"], links),
        try .of("Tag", "Tag", ["name": "$source.name"]),
      ])
    }
    return try Chain(
      [store.model, model(.toOne("tag", "Tag")), last],
      [mapping(["tag": tag]), mapping([:])],
      store: directory.path("store.sqlite"),
      in: directory
    )
  }

  private static let tags = instances("TagToTag", "$source.tags")

  @Test func `a version that alone gives several is made`() throws {
    let chain = try Self.chain(Self.tags, to: Self.model())
    #expect(
      try chain.legs().map(\.boundary) == [
        [],
        [
          "v1 may give Note.tag several objects, which only its objects show; "
            + "[FIRST] or anyObject takes one"
        ],
      ]
    )
    #expect(try !Self.isDone(chain))
  }

  @Test func `one that takes the first of them is not`() throws {
    let chain = try Self.chain(Self.tags + "[FIRST]", to: Self.model())
    #expect(try chain.legs().count == 1)
    #expect(try Self.isDone(chain))
  }

  /// Whether a migration leg by leg comes to its end; the only reason not to is the rule.
  private static func isDone(_ chain: Chain) throws -> Bool {
    do {
      _ = try chain.fused("fused")
      return true
    } catch {
      #expect("\(error)".contains("Note.tag: one object, which [FIRST] or anyObject takes"))
      return false
    }
  }
}
