internal import BulkVersions
import BulkCoding
import BulkExecute
import BulkPlan
import BulkReport

/// The arguments of `bulkmigrate migrate`.
struct MigrateArguments: PlanningArguments, RunningArguments {
  var output = OutputOptions()
  var store = ""
  var request = PlanRequest()
  var maxMemory: ByteCount?
  var maxDuration: Duration?
  var threads: ThreadCount?
  var maxLoss: LossLimit?
  var onDiskFull = DiskFullAction.stop
  var reportPath: String?
  var keepsHistory = true
  /// Whether the file itself is changed.
  var isInPlace = false

  /// The limit of losses; without one nothing may be lost, as nobody has read the plan.
  var lossLimit: LossLimit { maxLoss ?? .count(0) }
}

/// `bulkmigrate migrate`: brings a store to the current version in place.
enum MigrateCommand {
  static let command = Command(table) { arguments, context in
    try context.reporting(arguments.store, asJSON: arguments.output.isJSON) {
      try run(arguments, context)
    }
  }

  private static let table = OptionTable(
    command: "migrate",
    summary: "Bring a store to the current version of its model, in its place.",
    explanation: """
      Plans, runs, and puts the migrated store in the place of the old one, with its folder of external \
      values. The old store is kept beside it with a ~ before the extension, until it is deleted; \
      rollback goes back to it. Whenever it is interrupted, the old or the new store, each whole, is in \
      place; do it again to continue. No other program may have the store open. As nobody reads the plan \
      before, nothing may be lost unless --max-loss allows it.
      """,
    examples: [
      Example(
        "bulkmigrate migrate Notes.sqlite --models Notes.xcdatamodeld --mappings Mappings",
        "Bring a store of any version to the current one."
      ),
      Example("bulkmigrate rollback Notes.sqlite", "Go back to the store that it was."),
    ],
    results: [.migrate, .failure],
    defaults: MigrateArguments(),
    options: PlanRequest.mappingOptions() + PlanRequest.routeOptions() + [
      .flag(
        "in-place",
        "Change the file itself, in one transaction of SQLite. Only for light changes; nothing is kept of the "
          + "old store, so there is no rollback."
      ) { $0.isInPlace = true }
    ] + MigrateArguments.runningOptions(usualLoss: "none"),
    operands: [.required("STORE", "The store.") { $0.store = $1 }]
  )

  private static func run(
    _ arguments: MigrateArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    let base = ProcessMemory.resident
    let target = arguments.reportPath.map { ReportTarget($0) }
    try target?.refuse()
    let stopping = Stopping(
      Interruption(),
      after: arguments.maxDuration,
      withParent: false
    )
    let progress = context.output.progress()
    defer { progress.finish() }
    let history = RunHistoryFile(context.environment, isKept: arguments.keepsHistory)
    var request = arguments.request
    request.knowsPolicy = { context.policies.policy(named: $0) != nil }
    request.knowsTransformer = { context.policies.hasTransformer(named: $0) }
    request.report = { progress.update(ProgressSnapshot($0)) }
    var begun: Migration?
    let configure: (inout Migration) -> Void = { migration in
      // While the store is only read, a signal ends the process and nothing is lost.
      Interruption.watch()
      migration.baseMemory = base
      set(&migration, by: arguments, context)
      begun = migration
      printWarnings(migration.plan, arguments, context)
      for line in DecisionText(migration.plan).lines { context.output.decision(line) }
      migration.decided = { context.output.decision($0) }
      migration.memoryLimitChanged = { limit in
        progress.stepAside { context.output.note("memory limit \(limit) from now on") }
      }
      progress.use(
        TimeForecast(after: history.read(context.output.warning), for: migration.plan)
      )
      migration.stopRequest = {
        ProgressRequest.answer(with: progress)
        return stopping.request
      }
      migration.report = {
        progress.update(ProgressSnapshot($0))
        ProgressRequest.answer(with: progress)
      }
    }
    let made: InPlaceMigration.Outcome
    do {
      made = try outcome(of: request, arguments, context, configure)
      progress.finish()
    } catch MigrationError.cancelled {
      progress.finish()
      if let begun { target?.leave(.interrupted, begun, context.output) }
      context.output.warning("stopped; the store is as it was; do the same again to continue")
      if arguments.output.isJSON {
        let report = FailureReport(stoppedWith: stopping.exitCode, store: arguments.store)
        try context.output.jsonLine(report, as: .failure)
      }
      return stopping.exitCode
    } catch let error as MigrationError {
      progress.finish()
      if let begun { target?.leave(.failed("\(error)"), begun, context.output) }
      let next = NextCommands(afterMigrating: arguments.store, program: context.program)
      throw AdvisedError(error: error, next: next)
    }
    try printOutcome(made, warnings: begun?.plan.warnings ?? [], arguments, context)
    try report(made, of: begun, to: target, context)
    return .done
  }

  private static func set(
    _ migration: inout Migration,
    by arguments: MigrateArguments,
    _ context: CommandContext
  ) {
    migration.memoryLimit =
      arguments.maxMemory ?? MigrationStatus(migration.stateLocation).memoryLimit
      ?? RunArguments.usualMemory
    migration.lossLimit = arguments.lossLimit
    migration.policies = context.policies
    migration.onDiskFull = arguments.onDiskFull
    migration.timeLimit = arguments.maxDuration
    migration.threads = arguments.threads?.threads ?? migration.threads
    migration.measures = MeasureRecorder(
      memoryLimit: migration.memoryLimit,
      command: context.commandLine
    )
  }

  /// Writes a report of what was done, if one is wanted.
  private static func report(
    _ outcome: InPlaceMigration.Outcome,
    of migration: Migration?,
    to target: ReportTarget?,
    _ context: CommandContext
  ) throws {
    guard let target else { return }
    switch outcome {
    case .current: context.output.note("nothing was done, so there is no report")
    case .migrated(let made, _), .altered(let made):
      guard let migration, let measures = migration.measures else { return }
      // By now the name may be that of the store that is kept.
      try target.refuse(besides: migration.plan)
      try target.write(ReportFacts(of: made, migration.plan, measures, migration.stateLocation))
    }
  }

  private static func outcome(
    of request: PlanRequest,
    _ arguments: MigrateArguments,
    _ context: CommandContext,
    _ configure: @escaping (inout Migration) -> Void
  ) throws -> InPlaceMigration.Outcome {
    guard arguments.isInPlace else {
      return try InPlaceMigration(of: arguments.store, request, configure: configure).run()
    }
    guard request.strategy != .rebuild, !request.rebuilds else {
      throw UsageError.contradiction("--in-place changes the file, and makes nothing anew")
    }
    let migration = AlteringMigration(of: arguments.store, request) { migration in
      context.output.warning(
        "\(arguments.store) itself is changed; nothing is kept of the old store, and rollback cannot go back"
      )
      configure(&migration)
    }
    return try migration.run().map { .altered($0) } ?? .current
  }

  /// Prints the plan's warnings before any work, because nobody reads the plan.
  private static func printWarnings(
    _ plan: MigrationPlan,
    _ arguments: MigrateArguments,
    _ context: CommandContext
  ) {
    for warning in plan.warnings { context.output.warning(warning) }
    guard arguments.lossLimit.allows(plan.losses.certain) else { return }
    for loss in plan.losses { context.output.warning("will be lost: \(loss)") }
  }

  private static func printOutcome(
    _ outcome: InPlaceMigration.Outcome,
    warnings: [String],
    _ arguments: MigrateArguments,
    _ context: CommandContext
  ) throws {
    if arguments.output.isJSON {
      let report = MigrateReport(outcome, store: arguments.store, warnings: warnings)
      try context.output.json(report, as: .migrate)
      return
    }
    switch outcome {
    case .current:
      try context.output.result("\(arguments.store) is of this version already: nothing was done")
      if !arguments.request.mappingFiles.isEmpty, !arguments.request.rebuilds {
        context.output.note("to carry out the mapping all the same, pass --rebuild")
      }
    case .migrated(let outcome, let kept):
      try context.output.result(
        "\(arguments.store): \(NumberText.grouped(outcome.rows)) rows, \(outcome.size); "
          + "the store that it was is \(kept)"
      )
    case .altered(let outcome):
      try context.output.result(
        "\(arguments.store): \(NumberText.grouped(outcome.rows)) rows, \(outcome.size); changed in its place"
      )
    }
  }
}

/// The output of `migrate --json`.
struct MigrateReport: Encodable {
  let outcome: String
  let store: String
  /// The path of the replaced store.
  let kept: String?
  let rows: Int64?
  let bytes: Int64?
  /// The losses.
  let losses: [MigrationPlan.Loss]?
  /// The plan's warnings.
  let warnings: [String]?

  init(_ outcome: InPlaceMigration.Outcome, store: String, warnings: [String]) {
    self.store = store
    switch outcome {
    case .current:
      self.outcome = "already"
      (kept, rows, bytes, losses) = (nil, nil, nil, nil)
      self.warnings = nil
    case .migrated(let migration, let kept):
      losses = migration.losses
      self.warnings = warnings
      self.outcome = "done"
      self.kept = kept
      rows = migration.rows
      bytes = migration.size.bytes
    case .altered(let migration):
      losses = migration.losses
      self.warnings = warnings
      self.outcome = "done"
      kept = nil
      rows = migration.rows
      bytes = migration.size.bytes
    }
  }
}
