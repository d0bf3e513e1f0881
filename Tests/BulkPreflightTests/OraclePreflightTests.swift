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
    var request = PlanRequest()
    request.source = SharedData.path(pair.source)
    request.sourceModel = pair.sourceModel.map { SharedData.path($0) }
    request.destination = directory.path("destination.sqlite")
    request.destinationModel = SharedData.path(
      pair.destinationModel == "-" ? pair.destination : pair.destinationModel
    )
    var preflight = Preflight(try Planner.plan(request))
    preflight.memoryLimit = .gibibytes(64)
    preflight.temporaryFolder = directory.path("")
    preflight.classes = []
    let report = try preflight.run()
    #expect(report.rejected == 0)
    #expect(report.findings.allSatisfy { $0.outcome == .kept || $0.outcome == .lost })
    #expect(try directory.contents() == [])
  }
}
