import BulkTestSupport
import Testing

/// All mapping files of `Plans`.
struct PlansTests {
  private static let files: [String] = {
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: Example.plans)) ?? []
    // What is only a part of a mapping is read with the file that lists it; a job of a fleet is none.
    return all.filter { file in
      file.contains("/") && file.hasSuffix(".json") && !file.hasPrefix("schemas/")
        && !["/.build/", "/parts/", "/jobs/"].contains { file.contains($0) }
    }.sorted()
  }()

  @Test func `there are twenty-eight`() { #expect(Self.files.count == 28) }

  @Test(arguments: files)
  func `nothing is wrong with a mapping file, and JSON of its meaning means the same`(
    file: String
  ) throws {
    let mapping = try MappingFile.read(Example.plans + "/" + file)
    let source = try ManagedObjectModel(contentsOf: try #require(mapping.source.model))
    let destination = try ManagedObjectModel(contentsOf: try #require(mapping.destination.model))
    let findings = mapping.findings(
      between: ModelPair(from: source, to: destination),
      knowsPolicy: { _ in true },
      knowsTransformer: { _ in true }
    )
    #expect(findings.filter { $0.severity == .error }.map(\.description) == [])
    let model = try mapping.mappingModel(between: ModelPair(from: source, to: destination)).model
    let folder = TemporaryDirectory()
    try Data(model.json.utf8).write(to: URL(fileURLWithPath: folder.path("x.json")))
    let again = try MappingFile.read(folder.path("x.json"))
      .mappingModel(between: ModelPair(from: source, to: destination)).model
    #expect(again == model)
  }

  private static let objects: [(kind: String, path: [String])] = [
    ("file", []), ("place", ["$defs", "place"]), ("entityMapping", ["$defs", "entityMapping"]),
    ("attribute", ["$defs", "attribute", "anyOf", "1"]),
    ("relationship", ["$defs", "property", "anyOf", "1"]),
    ("expectation", ["properties", "expect", "items"]),
    ("count", ["properties", "expect", "items", "properties", "count"]),
  ]

  @Test(arguments: objects)
  func `the schema of mapping files has the entries that are read`(
    kind: String,
    path: [String]
  ) throws {
    let url = URL(fileURLWithPath: Example.plans + "/schemas/mapping.schema.json")
    var object: Any? = try JSONSerialization.jsonObject(with: try Data(contentsOf: url))
    for step in path {
      object = (object as? [Any])?[Int(step) ?? 0] ?? (object as? [String: Any])?[step]
    }
    let schema = object as? [String: Any]
    let forms = schema?["oneOf"] as? [[String: Any]] ?? [schema ?? [:]]
    let names = forms.flatMap { ($0["properties"] as? [String: Any] ?? [:]).keys }
    #expect(Set(names) == Set(MappingFormat.entries[kind] ?? []))
  }
}
