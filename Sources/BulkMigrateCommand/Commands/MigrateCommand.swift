internal import BulkVersions
import BulkCoding
import BulkExecute
import BulkMigrate
import BulkPlan
import BulkReport

struct MigrateCommand: ParsableCommand, PolicyArguments {
  var output = OutputOptions()
  var policies = PolicyOptions()
  var store = ""
  var request = PlanRequest()
  var running = RunArguments()
  /// Whether the file itself is changed.
  var isInPlace = false

  static let table = OptionTable(
    command: "migrate",
    summary: "Bring a store to the current version of its model, in its place.",
    explanation: """
      Plans, runs, and puts the migrated store in the place of the old one, with its folder of external \
      values. The old store is kept beside it with a ~ before the extension, until it is deleted; \
      rollback goes back to it. Whenever it is interrupted, the old or the new store, each whole, is in \
      place; do it again to continue. No other program may have the store open. Nothing may be lost unless \
      --max-loss allows it.
      """,
    examples: [
      "bulkmigrate migrate Notes.sqlite --models Notes.xcdatamodeld --mappings Mappings":
        "Bring a store of any version to the current one.",
      "bulkmigrate rollback Notes.sqlite": "Go back to the store that it was.",
    ],
    results: [.record],
    defaults: MigrateCommand(),
    options: [
      .flag("no-copy", \.isInPlace).help(
        "Change the file itself, in one transaction of SQLite. Only for light changes; nothing is kept of the "
          + "old store, so rollback is impossible. Where only the schema grows no row is read, and only what is "
          + "written is checked; preflight finds damage elsewhere."
      )
    ],
    shared: [
      SharedOptions(
        of: "plan",
        (PlanRequest.mappingOptions + PlanRequest.routeOptions).within(\MigrateCommand.request)
          + PolicyOptions.rows.within(\MigrateCommand.policies)
      ),
      SharedOptions(
        of: "run",
        RunArguments.options.named("max-memory", "max-loss", "max-duration", "report")
          .within(\MigrateCommand.running)
      ),
    ],
    operands: [.required("STORE", "The store.", \.store)]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    try context.reporting(store) { try migrate(context) }
  }

  private func migrate(_ context: CommandContext) throws -> ExitCode {
    let attended = AttendedRun(running, context, base: ProcessMemory.resident)
    let (progress, target) = (attended.progress, attended.report)
    try target?.refuse()
    defer { progress.finish() }
    var request = request
    request.report = { progress.update(TaskProgress($0)) }
    let location = InPlaceMigration.stateLocation(of: store)
    let settings = attended.settings(location)
    var events = attended.watch(settings.memoryLimit)
    var begun: MigrationPlan?
    events.planned = { plan in
      begun = plan
      if isInPlace {
        context.output.warning(
          "\(store) itself is changed; nothing is kept of the old store, and rollback cannot go back"
        )
      }
      printWarnings(plan, context.output)
      context.output.decisions(of: plan)
    }
    let migration = StoreMigration(inPlace: store, request, settings)
    func leave(_ change: (inout MigrationRecord) -> Void) {
      guard let begun else { return }
      var record = MigrationRecord(location)
      change(&record)
      attended.leave(record, begun, events)
    }
    let made: InPlaceMigration.Outcome
    do {
      defer { progress.finish() }
      made = try isInPlace ? altered(migration, events) : migration.replace(events)
    } catch MigrationError.cancelled {
      leave { $0.outcome = .stopped }
      context.output.warning("stopped; the store is as it was; do the same again to continue")
      let code = attended.stopping.exitCode
      if context.output.isJSON {
        var record = MigrationRecord(location)
        (record.kind, record.outcome, record.store) = (.attempt, .stopped, store)
        try context.output.end(record, code)
      }
      return code
    } catch let error as MigrationError {
      leave { $0.fail(error, message: "\(error)") }
      let next = NextCommands(afterMigrating: store, program: context.program)
      throw AdvisedError(error: error, next: next)
    }
    try printOutcome(made, begun, context.output)
    guard let target else { return .done }
    guard var record = made.made else {
      context.output.note("nothing was done, so no report is written")
      return .done
    }
    if let begun {
      // By now the name may be that of the store that is kept.
      try target.refuse(besides: begun)
      record.take(events.measures?.record)
      record.stateDirectory = location.path
      try target.write(ReportPage(record, begun))
    }
    return .done
  }

  private func altered(
    _ migration: StoreMigration,
    _ events: MigrationEvents
  ) throws -> InPlaceMigration.Outcome {
    guard request.strategy != .rebuild, !request.rebuilds else {
      throw UsageError("--no-copy changes the file, and rebuilds nothing")
    }
    return try migration.alter(events)
  }

  /// Prints the plan's warnings before any work, because nobody reads the plan.
  private func printWarnings(_ plan: MigrationPlan, _ output: Output) {
    for warning in plan.warnings { output.warning(warning) }
    guard (running.maxLoss ?? .usual).allows(plan.losses.certain) else { return }
    for loss in plan.losses { output.warning("will be lost: \(loss)") }
  }

  private func printOutcome(
    _ outcome: InPlaceMigration.Outcome,
    _ plan: MigrationPlan?,
    _ output: Output
  ) throws {
    let isUnread = plan?.source.isUnread == true
    let made =
      outcome.made.map { made in
        isUnread ? "\(made.size); " : "\(made.rows.grouped) rows, \(made.size); "
      } ?? ""
    let line =
      switch outcome {
      case .current: "\(store) is of this version already: nothing was done"
      case .migrated(_, let kept): "\(store): \(made)the store that it was is \(kept)"
      case .altered where isUnread:
        "\(store): \(made)its schema was changed in its place; what was written was checked, and "
          + "no row was read"
      case .altered: "\(store): \(made)changed in its place"
      }
    var record = outcome.made ?? .nothing
    if let plan { record.take(plan) }
    (record.store, record.exitCode) = (store, ExitCode.done.rawValue)
    record.takeUse(Platform.timeSinceStart)
    if case .migrated(_, let kept) = outcome { record.kept = kept }
    if plan?.source.isUnread == true { record.rows = 0 }
    record.warnings = outcome.made == nil ? [] : plan?.warnings ?? []
    try output.show(record, as: .record, [line])
    if !output.isJSON, outcome.made == nil, !request.mappingFiles.isEmpty, !request.rebuilds {
      output.note("to carry out the mapping anyway, pass --strategy rebuild")
    }
  }
}
