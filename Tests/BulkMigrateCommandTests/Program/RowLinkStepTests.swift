import BulkModel
import BulkTestSupport
import Foundation
import Testing

@Suite(
  "The durable steps of rows that lead to one another",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct RowLinkStepTests {
  private let program: Program

  /// Things made by two mappings into one table, one of them evaluated, each of which leads to another one.
  init() throws {
    program = try Program()
    let model = try ManagedObjectModel.of(
      EntityDescription(
        "Thing",
        [.optional("amount", .integer64)],
        [.toOne("next", "Thing", inverse: "former"), .toMany("former", "Thing", inverse: "next")]
      )
    )
    var store = TestStore(model)
    // 7 has no common factor with 500, so every thing leads to another one.
    store.objects = (1...500).map { key in
      TestObject(
        "Thing",
        key,
        ["amount": .integer(key % 3)],
        links: ["next": [1 + key * 7 % 500]]
      )
    }
    _ = try store.write(to: program.directory.path("Source.sqlite"))
    try TestStore.write(model, to: program.directory.path("all.mom"))
    let next =
      "FUNCTION($manager, \\\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\\\", "
      + "\\\"next\\\", $source.next)"
    try program.write(
      """
      { "bulkmigrate": "mapping/1", "infer": "none", "entityMappings": [
        { "name": "Kept", "source": "Thing", "destination": "Thing", "filter": "amount > 0",
          "attributes": { "amount": "$source.amount" }, "relationships": { "next": "\(next)" } },
        { "name": "More", "source": "Thing", "destination": "Thing", "filter": "amount == 0",
          "attributes": { "amount": "$source.amount + 1" }, "relationships": { "next": "\(next)" } } ] }
      """,
      to: "all.json"
    )
    let run = try program([
      "plan", "-q", "--source", "Source.sqlite", "--source-model", "all.mom", "--destination",
      "Big.sqlite", "--destination-model", "all.mom", "--mapping", "all.json",
    ])
    try #require(run.status == 0, "\(run.errors)")
  }

  private func run(_ failpoint: String? = nil) throws -> ProcessRun {
    var environment = ["BULKMIGRATE_BATCH_ROWS": "100"]
    environment["BULKMIGRATE_FAILPOINT"] = failpoint
    return try program(["run", "-q", "--resume-if-started"], environment: environment)
  }

  /// The bytes of the destination, which is removed.
  private func made() throws -> Data {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: program.directory.path("Big.sqlite")))
    for name in ["Big.sqlite", "Big.sqlite.bulkmigrate"] {
      try FileManager.default.removeItem(atPath: program.directory.path(name))
    }
    return bytes
  }

  @Test func `after a kill behind any of them the same bytes come out`() throws {
    let first = try run("count")
    #expect(first.status == 0, "\(first.errors)")
    let steps = try #require(
      first.errors.split(separator: "\n").last.flatMap { Int($0.dropFirst("steps: ".count)) }
    )
    let file = StoreFile(program.directory.path("Big.sqlite"), keeping: program.directory)
    #expect(
      try file.rows("SELECT count(*), count(DISTINCT ZNEXT), sum(Z_PK <= 500) FROM ZTHING")
        == [[500, 500, 334]]
    )
    #expect(try file.integrity() == [["ok"]])
    let expected = try made()
    #expect(steps > 20)
    for step in 1...steps {
      #expect(try run("step:\(step)").status == -9, "step \(step)")
      let rest = try run()
      #expect(rest.status == 0, "step \(step): \(rest.errors)")
      #expect(try made() == expected, "step \(step)")
    }
  }
}
