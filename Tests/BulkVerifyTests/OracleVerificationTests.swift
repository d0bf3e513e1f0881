import BulkCoding
import BulkExecute
import BulkPlan
import BulkTestSupport
import BulkVerify
import BulkVersions
import Testing

@Suite(
  "Core Data's own migrations, verified",
  .enabled(if: SharedData.isPresent, "skips because ../shared is not there")
)
struct OracleVerificationTests {
  @Test(arguments: RandomSeeds.some(of: OraclePair.all, every: 4))
  func `every row is what the plan says, in our destination and in Core Data's`(
    pair: OraclePair
  ) throws {
    let directory = try TemporaryDirectory()
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
