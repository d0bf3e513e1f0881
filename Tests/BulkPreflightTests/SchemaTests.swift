import BulkMigrate
import BulkTestSupport
import Testing

struct SchemaTests {
  @Test(arguments: [nil, 0.5]) func `it is as its schema says`(sample: Double?) throws {
    let report = try PreflightTests.planned().report(sample: sample)
    #expect(try JSONSchema(of: "preflight").faults(of: JSONEncoder().encode(report)) == [])
    #expect(
      try JSONDecoder().decode(PreflightReport.self, from: JSONEncoder().encode(report)) == report
    )
  }

  @Test func `the schema knows every kind and every outcome`() throws {
    let finding = try #require(
      try JSONSchema(of: "preflight").part("properties", "findings", "items", "properties")
        as? [String: [String: Any]]
    )
    #expect(
      finding["kind"]?["enum"] as? [String] == PreflightFinding.Kind.allCases.map(\.rawValue)
    )
    #expect(
      finding["outcome"]?["enum"] as? [String] == PreflightFinding.Outcome.allCases.map(\.rawValue)
    )
  }

  @Test func `a document with an unknown word or property has faults`() throws {
    let document: [String: Any] = ["bulkmigrate": "preflight/0", "more": 1]
    let faults = try JSONSchema(of: "preflight").faults(of: document)
    #expect(faults.contains("$.bulkmigrate is preflight/0, not preflight/1"))
    #expect(faults.contains("$.more is unknown"))
    #expect(faults.contains("$ has no findings"))
  }
}
