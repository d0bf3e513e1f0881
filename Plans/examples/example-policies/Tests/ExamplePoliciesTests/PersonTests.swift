import BulkFixture
import BulkMigrate
import ExamplePolicies
import Testing

struct PersonTests {
  private static let policies: [String: any EntityMigrationPolicy] = [
    "PersonToPersonPolicy": PersonToPersonPolicy()
  ]

  /// The store has so many different triples of street, city and zip code, as sqlite3 counts them.
  @Test func `persons share addresses`() async throws {
    var request = FixtureRequest()
    request.rows = ["Person": 1_000]
    request.nilRates = ["Person.street": 1, "Person.city": 0.5, "Person.zip": 0.5]
    let example = try ExampleFolder(
      "e4-addresses",
      store: "People.sqlite",
      mapping: "policy.json",
      request
    )
    let counts = try await example.migrate(policies: Self.policies)
    #expect(counts == ["Person": 1_000, "Address": 511])
  }

  @Test func `persons without addresses make none`() async throws {
    var request = FixtureRequest()
    request.rows = ["Person": 10]
    request.nilRates = ["Person.street": 1, "Person.city": 1, "Person.zip": 1]
    let example = try ExampleFolder(
      "e4-addresses",
      store: "People.sqlite",
      mapping: "policy.json",
      request
    )
    let counts = try await example.migrate(policies: Self.policies)
    #expect(counts == ["Person": 10, "Address": 0])
  }
}
