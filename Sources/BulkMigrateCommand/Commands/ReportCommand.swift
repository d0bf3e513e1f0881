import BulkExecute
import BulkPlan
import BulkPlatform
import BulkReport
import BulkVerify

struct ReportCommand: ParsableCommand {
  var output = OutputOptions()
  var finder = MigrationFinder()
  var path = Self.defaultPath
  var proofPath: String?

  static let defaultPath = "bulkmigrate.report.html"

  static let table = OptionTable<ReportCommand>(
    "report",
    results: [.written],
    options: [
      .value("output", \.path),
      .value("proof", \.proofPath),
    ],
    operands: [.optional("MIGRATION", \.finder.named)]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    let (record, plan) = try Self.record(of: finder.place())
    let proof = try proofPath.map { path throws(ProofError) in try Proof(contentsOf: path) }
    let page = ReportPage(record, plan, proof: proof)
    for warning in page.warnings { context.output.warning(warning) }
    return try OutputTarget(path, .report)
      .publish(page.text, ofStore: plan.source.store, context.output)
  }

  private static func record(
    of place: MigrationFinder.Place
  ) throws -> (record: MigrationRecord, plan: MigrationPlan) {
    if let plan = place.plan { return record(of: plan) }
    guard place.status.isKept else {
      if let store = place.store {
        throw Refusal(
          .badData,
          "\(store): it is a store; bulkmigrate plan --source makes a plan for one"
        )
      }
      throw Refusal(
        .badData,
        "\(place.location.path) is not a state directory of a migration; name one, or a plan"
      )
    }
    let plan = try plan(in: place.location)
    return (MigrationRecord(place.location, of: plan), plan)
  }

  /// The plan of a migration that is not done, that keeps a receipt, or that left objects out.
  private static func plan(in location: StateLocation) throws -> MigrationPlan {
    if let begun = MigrationRecord(location).plan { return begun }
    if let folder = try RejectFolder(location) ?? RejectFolder.replayed(location) {
      return try folder.plan()
    }
    return try MigrationPlan(contentsOf: location.planPath)
  }

  private static func record(
    of plan: MigrationPlan
  ) -> (record: MigrationRecord, plan: MigrationPlan) {
    let location = StateLocation(destination: plan.destination.store, stateDirectory: nil)
    let record = MigrationRecord(location, of: plan)
    // The state may be that of another plan with the same destination.
    let left = try? RejectFolder(location)?.summary.plan
    let isOfPlan = (left ?? record.plan?.fingerprint) == plan.fingerprint
    return (isOfPlan ? record : MigrationRecord(.status), plan)
  }
}
