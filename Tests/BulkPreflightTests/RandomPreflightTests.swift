import BulkMigrate
import BulkTestSupport
import Testing

/// Random stores under a model with rules of every form: the preflight counts what a run leaves out.
struct RandomPreflightTests {
  private static func entities(isStrict: Bool) throws -> ManagedObjectModel {
    var code = AttributeDescription.optional("code")
    var size = AttributeDescription.optional("size", .integer32)
    var data = AttributeDescription.optional("data", .binaryData)
    var owner = RelationshipDescription.toOne("owner", "Person.items")
    var items = RelationshipDescription.toMany("items", "Item.owner")
    var tags = RelationshipDescription.toMany("tags", "Tag.items")
    if isStrict {
      code.validationPredicates = [
        try ValuePredicate(format: "length >= 2"), try ValuePredicate(format: "length <= 4"),
        try ValuePredicate(format: "SELF MATCHES '[a-z]+'"),
      ]
      size.validationPredicates = [try ValuePredicate(format: "SELF >= 0")]
      data.isOptional = false
      owner.isOptional = false
      items.maxCount = 6
      tags.isOptional = false
      tags.minCount = 1
    }
    return try .of(
      .init("Person", [.optional("name")], [items], unique: isStrict ? [["name"]] : []),
      .init(
        "Item",
        [code, size, data],
        [owner, tags],
        unique: isStrict ? [["code", "owner"]] : []
      ),
      .init("Special", under: "Item", [.optional("note")]),
      .init("Tag", [.optional("name")], [.toMany("items", "Item.tags")])
    )
  }

  private static func store(_ seed: UInt64) throws -> TestStore {
    var random = SeededGenerator(seed: seed)
    var store = TestStore(try entities(isStrict: false))
    let persons = Int64.random(in: 20...40, using: &random)
    store.objects = (1...persons).map {
      TestObject("Person", $0, ["name": .string("p\(Int.random(in: 1...60, using: &random))")])
    }
    store.objects += (1...9).map { TestObject("Tag", $0, ["name": .string("t\($0)")]) }
    let codes = ["a", "ab", "abc", "abcd", "abcde", "a1", "zz", "é", "no"]
    store.objects += (1...Int64(150)).map { key in
      let isSpecial = Int.random(in: 0..<4, using: &random) == 0
      let tags = (1...9).filter { _ in Int.random(in: 0..<6, using: &random) == 0 }.map(Int64.init)
      return TestObject(
        isSpecial ? "Special" : "Item",
        key,
        [
          "code": Int.random(in: 0..<20, using: &random) == 0
            ? .null : .string(codes[Int.random(in: 0..<codes.count, using: &random)]),
          "size": .integer(Int64.random(in: -3...80, using: &random)),
          "data": Int.random(in: 0..<15, using: &random) == 0 ? .null : .binary([1, 2]),
        ],
        links: Int.random(in: 0..<12, using: &random) == 0
          ? ["tags": tags]
          : ["owner": [Int64.random(in: 1...persons, using: &random)], "tags": tags]
      )
    }
    return store
  }

  /// Some persons are left out by the filter, and some sizes divide by zero.
  private static func planned(_ seed: UInt64) throws -> Planned {
    func item(_ entity: String) throws -> (String, [String: String], [String: String]) {
      (
        entity,
        [
          "code": "$source.code", "size": "100 / ($source.size - 7) - 1", "data": "$source.data",
        ],
        [
          "owner": instances("PersonToPerson", "$source.owner"),
          "tags": instances("TagToTag", "$source.tags"),
        ]
      )
    }
    let (plain, special) = (try item("Item"), try item("Special"))
    return try Planned(
      store(seed),
      to: entities(isStrict: true),
      by: [
        .of("Tag", "Tag", ["name": "$source.name"]),
        .of("Person", "Person", where: "name != 'p7'", ["name": "$source.name"]),
        .of(plain.0, plain.0, plain.1, plain.2),
        .of(special.0, special.0, special.1, special.2),
      ]
    )
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>, [RejectPolicy.Dependants.nullify, .reject])
  func `the counts are those of a run`(
    seed: UInt64,
    dependants: RejectPolicy.Dependants
  ) throws {
    let planned = try Self.planned(seed)
    let report = try planned.report(dependants: dependants)
    let rejected = try planned.rejected(dependants: dependants)
    #expect(report.counts == rejected.counts)
    #expect(report.rejected == rejected.count)
    // The rules are of every form, so hardly one is kept by all objects.
    #expect(report.counts.count >= 8, "\(report.counts)")
    #expect(
      report.findings.filter { $0.kind == .lostLink }.map(\.count)
        == rejected.losses.filter { $0.kind == .links && $0.cause == .target }.map(\.count)
    )
  }
}

@Suite(
  "Preflights of Core Data's own migrations",
  .enabled(if: SharedData.isPresent, "skips because ../shared is not there")
)
struct OraclePreflightTests {
  @Test(arguments: RandomSeeds.some(of: OraclePair.all, every: 8))
  func `nothing is found that would keep a run from making the store`(pair: OraclePair) throws {
    let directory = TemporaryDirectory()
    var preflight = Preflight(try Planner.plan(PlanRequest(pair, in: directory)))
    preflight.memoryLimit = .gibibytes(64)
    preflight.temporaryFolder = directory.path("")
    let report = try preflight.run()
    #expect(report.rejected == 0)
    #expect(report.findings.allSatisfy { $0.outcome == .kept || $0.outcome == .lost })
    #expect(try directory.contents() == [])
  }
}
