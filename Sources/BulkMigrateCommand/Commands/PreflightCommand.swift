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
  /// The plan, where one is named.
  var planPath: String?
  var maxMemory = MigrationCommand.usualMemory
  var dependants = RejectPolicy.Dependants.nullify
  /// The share of keys to read.
  var sample: Double?
  /// Whether the exit code shows that something was found.
  var isStrict = false

  static let table = OptionTable(
    command: "preflight",
    summary: "Report before a migration what it would encounter, and write nothing.",
    explanation: """
      Carries a plan out as far as it decides which objects break rules of the destination's model, and reads \
      the source for links that lead nowhere or are one-sided, and for external values without their files. \
      Each finding has its count, the first keys, what becomes of the objects, and what deals with it; the \
      counts are those of run --on-error quarantine. An inferred migration keeps what breaks rules, as Core Data does; \
      that is shown, too. It takes a plan, or a mapping file that names stores and models; without either the plan in \
      this folder. Nothing is written but temporary files, which hold keys, links and values that rules ask \
      about. Ends with 0, or with 65 if --strict and something was found.
      """,
    examples: [
      "bulkmigrate preflight": "Look at the plan in this folder.",
      "bulkmigrate preflight --mapping all.json --strict": "For a script: plan, and look.",
      "bulkmigrate preflight --sample 1%": "Look at some rows of a very large store.",
    ],
    results: [.preflight],
    defaults: PreflightCommand(),
    options: PolicyOptions.rows.within(\PreflightCommand.policies) + [
      .value("plan", "FILE", \.planPath).help("The plan to look at.")
    ] + PlanRequest.mappingOptions.within(\PreflightCommand.request) + [
      .value("sample", "SHARE") { $0.sample = try keyShare($1) }.help(
        "Read a share of the rows of each table (1%), at least some 256, which are chosen by their keys. What "
          + "links and other rows decide is not seen."
      ),
      .value("dependants", "ACTION", \.dependants).help(
        "As for run: what becomes of objects that lead to one that is left out, nullify or reject."
      ),
      .flag("strict", \.isStrict).help("End with 65 if anything was found."),
      .value("max-memory", short: "m", "SIZE", \.maxMemory).help("Memory the process may hold."),
    ]
  )

  /// Parses a share in percent, above 0 and at most all.
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

  /// The plan that is named, the one of a mapping, or that of the current folder.
  private func plan(_ context: CommandContext) throws -> MigrationPlan {
    guard !request.mappingFiles.isEmpty else {
      return try PlanFinder(planPath: planPath).planToRun()
    }
    if planPath != nil { throw UsageError("--plan and --mapping name a plan each") }
    return try Planner.plan(request.knowing(context))
  }
}
