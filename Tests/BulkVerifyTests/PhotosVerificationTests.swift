import BulkTestSupport
import BulkMigrate
import Testing

/// A library of Photos, whose R-tree follows from the user info of its model (formats/store.md 7.12).
@Suite(
  "A Photos library",
  .enabled(if: SharedData.isPresent, "skips because ../shared is not there")
)
struct PhotosVerificationTests {
  @Test(arguments: RandomSeeds.some(of: [StoreStrategy.Kind.copy, .rebuild], every: 2))
  func `the R-tree finds the same places after a migration`(strategy: StoreStrategy.Kind) throws {
    let directory = TemporaryDirectory()
    let source = SharedData.path("photos/Photos-10.16.0.sqlite")
    let model = try #require(try PersistentStore(path: source).cachedModel())
    var entities = model.entities
    let asset = try #require(entities.firstIndex { $0.name == "Asset" })
    entities[asset].attributes.append(.optional("note"))
    try TestStore.write(
      ManagedObjectModel(entities: entities),
      to: directory.path("destination.mom")
    )
    var request = PlanRequest()
    request.source = source
    request.destination = directory.path("destination.sqlite")
    request.destinationModel = directory.path("destination.mom")
    request.strategy = strategy
    let plan = try Planner.plan(request)
    #expect(plan.losses == [])
    _ = try Migration(inTestProcess: plan).run()
    let destination = StoreFile(plan.destination.store, keeping: directory)
    // As SQLite 3.40 reads the source.
    #expect(
      try destination.rows(
        "SELECT Z_PK, round(ZLATITUDE_MIN, 5), round(ZLONGITUDE_MAX, 5) FROM Z_RT_Asset_boundedByRect "
          + "WHERE ZLATITUDE_MIN > -180 ORDER BY Z_PK"
      ) == [[6, 51.50357, -0.13181], [8, -34.91889, 138.59686], [14, 38.9174, -77.04176]]
    )
    #expect(
      try destination.rows("SELECT count(*) FROM Z_RT_Asset_boundedByRect") == [[16]]
    )
    #expect(
      try destination.rows("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'Z_RT_%'") == [[7]]
    )
    var verification = Verification(inTestProcess: plan)
    verification.scratchFolder = directory.path("scratch")
    #expect(try verification.run().sentences == [])
  }
}

@Suite(
  "Core Data's own migrations, verified",
  .enabled(if: SharedData.isPresent, "skips because ../shared is not there")
)
struct OracleVerificationTests {
  @Test(arguments: RandomSeeds.some(of: OraclePair.all, every: 13))
  func `every row is what the plan says, in our destination and in Core Data's`(
    pair: OraclePair
  ) throws {
    let directory = TemporaryDirectory()
    let plan = try Planner.plan(PlanRequest(pair, in: directory))
    _ = try Migration(inTestProcess: plan).run()
    for destination in [plan.destination.store, SharedData.path(pair.destination)] {
      var verification = Verification(inTestProcess: plan)
      verification.destination = destination
      verification.scratchFolder = directory.path("scratch")
      #expect(try verification.run().sentences == [], "\(destination)")
    }
  }
}
