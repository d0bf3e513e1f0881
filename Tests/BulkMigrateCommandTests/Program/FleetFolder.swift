import BulkTestSupport
import Testing

/// A folder with stores of one version, the models of two, and a manifest.
struct FleetFolder {
  let program: Program
  static let planning = "fleet plan --manifest stores.jsonl --models models --to v2".words

  /// Makes stores `s1`, `s2`, … of three notes each, and the manifest that names them.
  init(stores: Int) throws {
    program = try Program()
    _ = try program.directory.folder("models")
    _ = try program.directory.folder("new")
    for name in ["v1.mom", "v2.mom"] {
      try FileManager.default.moveItem(
        atPath: program.directory.path(name),
        toPath: program.directory.path("models/\(name)")
      )
    }
    for number in 1...max(stores, 1) where stores > 0 {
      try FileManager.default.copyItem(
        atPath: program.directory.path("Notes.sqlite"),
        toPath: program.directory.path("s\(number).sqlite")
      )
    }
    try program.write(
      (1...max(stores, 1)).map { Self.line("s\($0)") }.joined(),
      to: "stores.jsonl"
    )
  }

  /// A line of a manifest.
  static func line(_ id: String) -> String {
    "{\"id\":\"\(id)\",\"source\":\"\(id).sqlite\",\"destination\":\"new/\(id).sqlite\"}\n"
  }

  /// Plans the fleet.
  func plan(_ words: String...) throws {
    try program(Self.planning + words + ["-q"], ending: 0)
  }

  /// Plans a version whose notes need a title, which one of three does not have.
  func planRequiringTitles(_ words: String...) throws {
    try program.write(.of(EntityDescription("Note", [.required("title")])), to: "models/v3.mom")
    try program.write(
      """
      { "bulkmigrate": "mapping/1", "source": { "model": "../models/v1.mom" },
        "destination": { "model": "../models/v3.mom" }, "entityMappings": [
        { "source": "Note", "destination": "Note", "attributes": { "title": "$source.title" } } ] }
      """,
      to: "mappings/all.json"
    )
    let planning = Self.planning.map { $0 == "v2" ? "v3" : $0 } + ["--mappings", "mappings"]
    try program(planning + words, ending: 0)
  }

  /// The lines of results, as far as they were written.
  func results(_ name: String = "bulkmigrate.results.jsonl") throws -> [[String: Any]] {
    let path = program.directory.path(name)
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// Whether a result tells that the store was verified, and is as it should.
  static func isVerified(_ result: [String: Any]) -> Bool? {
    (result["verification"] as? [String: Any])?["isVerified"] as? Bool
  }

  /// The outcomes of the attempts, sorted, with the ids.
  func outcomes(_ name: String = "bulkmigrate.results.jsonl") throws -> [String] {
    try results(name).map { "\($0["id"] ?? "") \($0["outcome"] ?? "") \($0["exitCode"] ?? "")" }
      .sorted()
  }

  /// The store that a single run makes of the same source.
  func single(_ options: String...) throws -> Data {
    let words = [
      "plan", "-q", "--source", "s1.sqlite", "--destination", "single.sqlite", "--models", "models",
      "--to", "v2", "-o", "single.plan.json",
    ]
    try #require(try program(words).status == 0)
    try #require(try program(["run", "-q", "--plan", "single.plan.json"] + options).status == 0)
    return try Data(contentsOf: URL(fileURLWithPath: program.directory.path("single.sqlite")))
  }

  /// The bytes of a store that the fleet made.
  func made(_ id: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: program.directory.path("new/\(id).sqlite")))
  }
}
