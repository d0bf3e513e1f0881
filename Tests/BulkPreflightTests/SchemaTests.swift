import BulkCoding
import BulkModel
import BulkPreflight
import BulkTestSupport
import Foundation
import Testing

@Suite("The document of a preflight") struct SchemaTests {
  private static func schema() throws -> [String: Any] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: root.appendingPathComponent("Plans/preflight.schema.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// What a value has against a schema of objects, arrays and words, a sentence each.
  private static func faults(
    _ value: Any,
    _ schema: [String: Any],
    at place: String = "$"
  ) -> [String] {
    if let words = schema["enum"] as? [String] {
      return words.contains(value as? String ?? "") ? [] : ["\(place): \(value) is no such word"]
    }
    switch schema["type"] as? String {
    case "object":
      guard let object = value as? [String: Any] else { return ["\(place): no object"] }
      let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
      let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
      return missing.map { "\(place): no \($0)" }
        + object.flatMap { key, value in
          properties[key].map { faults(value, $0, at: "\(place).\(key)") }
            ?? ["\(place): unknown \(key)"]
        }
    case "array":
      guard let elements = value as? [Any], let items = schema["items"] as? [String: Any] else {
        return ["\(place): no array"]
      }
      return elements.flatMap { faults($0, items, at: "\(place)[]") }
    case "string": return value is String ? [] : ["\(place): no text"]
    case "integer": return value is Int ? [] : ["\(place): no integer"]
    case "number": return value is Double ? [] : ["\(place): no number"]
    case let other: return ["\(place): the type \(other ?? "none") is not known here"]
    }
  }

  @Test(arguments: [nil, 0.5]) func `it is as its schema says`(sample: Double?) throws {
    let report = try PreflightTests.planned().report(sample: sample)
    let document = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report))
    #expect(try Self.faults(document, Self.schema()) == [])
    #expect(
      try JSONDecoder().decode(PreflightReport.self, from: JSONEncoder().encode(report)) == report
    )
  }

  @Test func `the schema knows every kind and every outcome`() throws {
    let properties = try #require(try Self.schema()["properties"] as? [String: [String: Any]])
    let items = try #require(properties["findings"]?["items"] as? [String: Any])
    let finding = try #require(items["properties"] as? [String: [String: Any]])
    #expect(
      finding["kind"]?["enum"] as? [String] == PreflightFinding.Kind.allCases.map(\.rawValue)
    )
    #expect(
      finding["outcome"]?["enum"] as? [String] == PreflightFinding.Outcome.allCases.map(\.rawValue)
    )
  }

  @Test func `a document with an unknown word or property has faults`() throws {
    let schema = try Self.schema()
    let faults = Self.faults(["bulkmigrate": "preflight/0", "more": 1], schema)
    #expect(faults.contains("$.bulkmigrate: preflight/0 is no such word"))
    #expect(faults.contains("$: unknown more"))
    #expect(faults.contains("$: no findings"))
  }
}
