internal import BulkVersions
import BulkCoding
import BulkExecute
import BulkMigrate
import BulkPlan
import BulkPlatform
import BulkPreflight

struct PreflightCommand: ParsableCommand, PolicyArguments {
  var output = OutputOptions()
  var policies = PolicyOptions()
  var request = PlanRequest()
  var planPath: String?
  var maxMemory = MigrationCommand.usualMemory
  var dependants = RejectPolicy.Dependants.nullify
  var sample: Double?
  var isStrict = false

  static let table = OptionTable<PreflightCommand>(
    "preflight",
    results: [.preflight],
    options: PolicyOptions.rows.within(\PreflightCommand.policies) + [
      .value("plan", \.planPath)
    ] + PlanRequest.mappingOptions.within(\PreflightCommand.request) + [
      .value("sample") { $0.sample = try keyShare($1) },
      .value("dependants", \.dependants),
      .flag("strict", \.isStrict),
      .value("max-memory", \.maxMemory),
    ]
  )

  private static func keyShare(_ text: String) throws(UsageError) -> Double {
    guard let share = Double(percentage: text), share > 0 else {
      throw UsageError(text, among: ["a share as 1%, above 0% and at most 100%"])
    }
    return share
  }

  func run(_ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident
    return try context.stoppable(warning: "stopped; nothing is left behind") { stopping, progress in
      var settings = context.settings(maxMemory, base)
      settings.rejects.dependants = dependants
      let plan = try plan(context)
      var preflight = StoreMigration(of: plan, settings).preflight(by: plan)
      preflight.sample = sample
      // Nothing is kept, so nothing has to be finished first.
      preflight.stopRequest = { stopping.request.map { _ in .atOnce } }
      preflight.report = {
        progress.update(
          TaskProgress($0.stage.rawValue, $0.rowsDone, atMost: $0.rowsTotal, in: maxMemory)
        )
      }
      let report = try preflight.run()
      progress.finish()
      try context.output.show(report, as: .preflight, report.lines)
      return isStrict && !report.isClear ? .badData : .done
    }
  }

  private func plan(_ context: CommandContext) throws -> MigrationPlan {
    guard !request.mappingFiles.isEmpty else {
      return try PlanFinder(planPath: planPath).planToRun()
    }
    if planPath != nil { throw UsageError("--plan and --mapping name a plan each") }
    return try Planner.plan(request.knowing(context))
  }
}
