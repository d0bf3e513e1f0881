import BulkCoding
import BulkPlan
import BulkExecute
import BulkPreflight
import BulkTestSupport
import BulkVersions
import Testing

@Suite(
  "Preflights of Core Data's own migrations",
  .enabled(if: SharedData.isPresent, "skips because ../shared is not there")
)
struct OraclePreflightTests {
  @Test(arguments: OraclePair.all)
  func `nothing is found that would keep a run from making the store`(pair: OraclePair) throws {
    let directory = try TemporaryDirectory()
    var preflight = Preflight(try Planner.plan(PlanRequest(pair, in: directory)))
    preflight.memoryLimit = .gibibytes(64)
    preflight.temporaryFolder = directory.path("")
    let report = try preflight.run()
    #expect(report.rejected == 0)
    #expect(report.findings.allSatisfy { $0.outcome == .kept || $0.outcome == .lost })
    #expect(try directory.contents() == [])
  }
}
