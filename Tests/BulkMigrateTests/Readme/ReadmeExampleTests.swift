import BulkTestSupport
import Testing

/// Runs the examples in Swift; `LayeringTests` requires that the README and the manual show them.
struct ReadmeExampleTests {
  private static let mapping = """
    { "bulkmigrate": "mapping/1",
      "source": { "model": "v1.mom" },
      "destination": { "model": "v2.mom" },
      "entityMappings": [
        { "source": "Person", "destination": "Person", "policy": "People.SplitName" } ] }
    """

  @Test func `a policy splits the names of a store`() async throws {
    let folder = TemporaryDirectory()
    let before = try ManagedObjectModel.of(EntityDescription("Person", [.optional("name")]))
    let after = try ManagedObjectModel.of(
      EntityDescription("Person", [.optional("firstName"), .optional("lastName")])
    )
    try TestStore.write(before, to: folder.path("v1.mom"))
    try TestStore.write(after, to: folder.path("v2.mom"))
    try Files.write(Array(Self.mapping.utf8), to: folder.path("v1-to-v2.json"))
    let store = TestStore(
      before,
      .each("Person", ["name": "Ada Lovelace"], ["name": "Plato"], [:])
    )
    _ = try store.write(to: folder.path("People.sqlite"))

    #expect(try await migratePeople(in: folder.url) == 3)
    let made = StoreFile(folder.path("People-v2.sqlite"), keeping: folder)
    #expect(
      try made.rows(of: "ZPERSON", "Z_PK", "ZFIRSTNAME", "ZLASTNAME") == [
        [1, "Ada", "Lovelace"], [2, "Plato", nil], [3, nil, nil],
      ]
    )
  }
}
