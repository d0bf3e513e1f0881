import BulkVersions
import BulkPlan
import BulkTestSupport
import Foundation
import Testing

/// Stores that Core Data migrated version by version show what a chain must end with.
@Suite(
  "Chains of real versions",
  .enabled(if: SharedData.isPresent, "needs ../shared/data")
)
struct RealRouteRunTests {
  /// Chain 2 of `oracle-pairs.tsv`.
  private static let versions = [
    "2.24.1", "2.25.0", "2.26.0", "2.27.0", "2.28.0", "2.29.0", "2.30.0", "2.31.0", "2.39.0",
  ]
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `nine versions one after another end like Core Data's`() throws {
    let models = Self.versions.map {
      "\"" + SharedData.path("wire/models/zmessaging.xcdatamodeld/zmessaging\($0).xcdatamodel")
        + "\""
    }
    let chain = "{ \"bulkmigrate\": \"mapping/1\", \"chain\": [\(models.joined(separator: ", "))] }"
    try Files.write(Array(chain.utf8), to: folder.path("chain.json"))
    var request = PlanRequest()
    request.mapping = folder.path("chain.json")
    request.source = SharedData.path("wire/stores/store2-24-1.sqlite")
    request.destination = folder.path("new.sqlite")
    request.fuses = false
    let plan = try Planner.plan(request)
    #expect(plan.hops.count == 8)
    let stores = try RouteRun(plan: plan, policies: [:]).stores()
    #expect(
      try SharedData.difference(
        expected: SharedData.path("wire/stores/store2-39-0.sqlite"),
        actual: try #require(stores.last).path
      ) == "same"
    )
  }
}
