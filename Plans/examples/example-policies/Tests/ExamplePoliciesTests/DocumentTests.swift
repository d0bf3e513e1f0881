import BulkFixture
import BulkMigrate
import ExamplePolicies
import Testing

struct DocumentTests {
  private static let policies: [String: any EntityMigrationPolicy] = [
    "DocumentToDocumentPolicy": DocumentToDocumentPolicy()
  ]

  @Test func `texts that are nil become bytes that are nil`() async throws {
    var request = FixtureRequest()
    request.rows = ["Document": 10]
    request.nilRates = ["Document.digest": 1, "Document.content": 1]
    let example = try ExampleFolder("e5-binary", store: "Documents.sqlite", request)
    #expect(try await example.migrate(policies: Self.policies) == ["Document": 10])
  }

  @Test func `words are not digests`() async throws {
    var request = FixtureRequest()
    request.rows = ["Document": 10]
    request.nilRates = ["Document.digest": 0, "Document.content": 1]
    let example = try ExampleFolder("e5-binary", store: "Documents.sqlite", request)
    let error = await #expect(throws: StoreMigrationError.self) {
      try await example.migrate(policies: Self.policies)
    }
    #expect(error?.description.contains("Document 1: ") == true)
    #expect(error?.description.contains("is not hexadecimal; no destination was made") == true)
  }
}
