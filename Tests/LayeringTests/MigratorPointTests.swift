import BulkTestSupport
import Foundation
import Testing

/// The specification of Core Data's migrator, which may lie beside the project.
private enum Specification {
  private static let url = SharedData.directory.deletingLastPathComponent()
    .appendingPathComponent("spec/core-data-migrator.md")

  static let isPresent = FileManager.default.fileExists(atPath: url.path)

  /// Its numbered points, which begin lines or rows of tables.
  static func points() throws -> [String] {
    let text = try String(contentsOf: url, encoding: .utf8)
    return text.matches(of: /(?m)^(?:\| )?(\d+\.\d+)\s/).map { String($0.1) }
  }
}

/// Each numbered point of `../shared/spec/core-data-migrator.md` is named by a test, or stands here with the reason why none
/// names it.
@Suite(
  "Points of Core Data's migrator",
  .enabled(if: Specification.isPresent, "../shared is not there")
)
struct MigratorPointTests {
  /// The points that no test names.
  private static let exceptions = [
    "1.1":
      "models are named, found by --models, or the store's own; there are no bundles and frameworks",
    "1.4": "what a mapping says decides how it is carried out, not what it is called",
    "3.1": "a new file is filled, or a copy changed; oracle pairs compare what comes of it",
    "4.1": "which tables Core Data rewrites cannot be seen in what comes of it",
    "4.2": "the column has the declared type of its attribute, with the same values",
    "4.7": "the private key in the user info is not read",
    "5.8": "nothing is dropped on a failure: a migration that fails makes no store",
    "5.9": "what Core Data does when it opens a store; the framework's version of a source is kept",
    "5.10": "what Core Data does when it reads a history",
    "6.5": "the state before CloudKit's tables were followed",
    "7.5":
      "an index that the destination's model has is always made; quick copies are judged by the model",
    "8.3": "relationships of random plans and their reference hold it (tools/relationships)",
    "8.4": "one store is published at the end, so that a save between mappings would show nothing",
    "8.5": "the order of a dictionary has no counterpart; mappings and rows come in their order",
    "8.7": "memory is bounded",
    "8.12": "relationships of random plans and their reference hold it (tools/relationships)",
    "9.4": "each schema change is an inferred step, as all others",
    "10.1": "real join tables get their names from models alone (10.5)",
    "10.2": "held by 10.3 and by all real stores (10.5)",
    "10.6": "not known how; layouts of sources take either name",
  ]

  /// The points that tests name behind the specification's name, such as `2.13, 2.14 and 2.20` or `9.1 to 9.3`.
  private static func named(in text: String) -> Set<String> {
    let lists = text.matches(
      of: /core-data-migrator\.md\s+(?:\/\/\/ )?(\d+\.\d+(?:(?:,| and|, and| to) \d+\.\d+)*)/
    )
    return Set(lists.flatMap { expanded($0.1) })
  }

  private static func expanded(_ list: Substring) -> [String] {
    list.matches(of: /(\d+)\.(\d+)(?: to \d+\.(\d+))?/).flatMap { match -> [String] in
      guard let first = Int(match.2) else { return [] }
      let last = match.3.flatMap { Int($0) } ?? first
      return (first...max(first, last)).map { "\(match.1).\($0)" }
    }
  }

  private static func named() throws -> Set<String> {
    let folder = Project.root.appendingPathComponent("Tests")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try paths.filter { $0.hasSuffix(".swift") && !$0.hasSuffix("MigratorPointTests.swift") }
      .reduce(into: Set()) { found, path in
        let url = folder.appendingPathComponent(path)
        found.formUnion(named(in: try String(contentsOf: url, encoding: .utf8)))
      }
  }

  @Test func `each point is named by a test, or has a reason why none names it`() throws {
    let (points, named) = (try Specification.points(), try Self.named())
    #expect(points.count > 100)
    #expect(points.filter { !named.contains($0) && Self.exceptions[$0] == nil } == [])
  }

  @Test func `no reason stands beside a test, and tests name only points that are there`() throws {
    let (points, named) = (Set(try Specification.points()), try Self.named())
    #expect(named.intersection(Self.exceptions.keys).sorted() == [])
    #expect(named.union(Self.exceptions.keys).subtracting(points).sorted() == [])
  }

  @Test func `lists and ranges of points are read`() {
    #expect(
      Self.named(in: "core-data-migrator.md 2.13, 2.14 and 2.20; core-data-migrator.md 9.1 to 9.3")
        == ["2.13", "2.14", "2.20", "9.1", "9.2", "9.3"]
    )
  }
}
