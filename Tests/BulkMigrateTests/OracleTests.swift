import BulkMigrate
import BulkTestSupport
import Testing

/// Migrates a real store by an inferred mapping.
///
/// - Returns: How the outcome differs from a store of the corpus.
private func difference(
  from expected: String,
  _ source: String,
  sourceModel: String? = nil,
  to model: String,
  by strategy: StoreStrategy.Kind? = nil
) async throws -> String {
  let directory = TemporaryDirectory()
  let destination = directory.path("destination.sqlite")
  var migration = StoreMigration(
    SharedData.path(source),
    to: SharedData.path(model),
    as: destination
  )
  migration.sourceModel = sourceModel.map { URL(fileURLWithPath: SharedData.path($0)) }
  migration.lossLimit = .all
  migration.strategy = strategy
  try await migration.run()
  return try SharedData.difference(expected: SharedData.path(expected), actual: destination)
}

/// Stores that Core Data migrated itself are what a migration must give.
///
/// They lie in `../shared`, which is not a part of the project; without it these tests are skipped.
@Suite(
  "Migrations against Core Data's own",
  .enabled(if: SharedData.isPresent, "../shared is not there")
)
struct OracleTests {
  @Test func `there are twenty-five pairs`() { #expect(OraclePair.all.count == 25) }

  /// Of the strides to any later model of a chain each is made by one strategy, in turn.
  private static let cases: [(OraclePair, StoreStrategy.Kind)] =
    OraclePair.all.flatMap { pair in StoreStrategy.Kind.allCases.map { (pair, $0) } }
    + OraclePair.strides.enumerated().map { ($1, $0 % 2 == 0 ? StoreStrategy.Kind.copy : .rebuild) }

  @Test(arguments: RandomSeeds.some(of: cases, every: 14))
  func `a store becomes what Core Data made of it`(
    pair: OraclePair,
    strategy: StoreStrategy.Kind
  ) async throws {
    let difference = try await difference(
      from: pair.destination,
      pair.source,
      sourceModel: pair.sourceModel,
      to: pair.destinationModel,
      by: strategy
    )
    #expect(difference == "same")
  }
}

extension OracleTests {
  // formats/migration.md 3.3
  @Test(arguments: [
    "core-data-plus/SampleModel.xcdatamodeld/SampleModel2.xcdatamodel",
    "core-data-plus/SampleModel.momd/SampleModel2.mom", "core-data-plus/SampleModel_V2.sqlite",
  ])
  func `a store with a renamed entity becomes what Core Data made of it, but for the stale name`(
    model: String
  ) async throws {
    let difference = try await difference(
      from: "core-data-plus/SampleModel_V2.sqlite",
      "core-data-plus/SampleModel_V1.sqlite",
      to: model
    )
    // Core Data leaves the old name in Z_PRIMARYKEY (formats/migration.md 3.3); here it follows the model.
    #expect(
      difference == """
        entities: ExpensiveSportCar: (3, 'ExpensiveSportCar', 2, 0) / None
        entities: LuxuryCar: None / (3, 'LuxuryCar', 2, 0)
        different: entities 2
        """
    )
  }

  @Test(arguments: RandomSeeds.some(of: SharedData.stores, every: 4))
  func `inspection counts the rows that SQLite counts`(store: String) throws {
    let directory = TemporaryDirectory()
    let copy = directory.path("copy.sqlite")
    try SharedData.copy(store, to: copy)
    guard case .store(let report) = try Inspection.inspect(SharedData.path(store)) else {
      Issue.record("it is not a store")
      return
    }
    var counted: [String: Int64] = [:]
    for entity in report.entities {
      if let rows = entity.rows, rows > 0 { counted["\(entity.table) \(entity.number)"] = rows }
    }
    for table in report.tables { counted[table.name] = table.rows }
    let file = StoreFile(copy)
    var expected: [String: Int64] = [:]
    for table in Set(report.entities.map(\.table)).subtracting([""]) {
      for row in try file.rows("SELECT Z_ENT, count(*) FROM \"\(table)\" GROUP BY Z_ENT") {
        guard case .integer(let count) = row[1] else { continue }
        expected["\(table) \(row[0])"] = count
      }
    }
    for table in report.tables {
      guard case .integer(let count) = try file.rows("SELECT count(*) FROM \"\(table.name)\"")[0][0]
      else { continue }
      expected[table.name] = count
    }
    #expect(counted == expected)
    #expect(!report.entities.isEmpty)
  }
}
