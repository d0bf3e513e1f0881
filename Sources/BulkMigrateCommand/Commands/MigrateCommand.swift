internal import BulkVersions
import BulkCoding
import BulkExecute
import BulkPlan

/// The arguments of `bulkmigrate migrate`.
struct MigrateArguments: CommandArguments {
  var output = OutputOptions()
  var store = ""
  var request = PlanRequest()
  var maxMemory = RunArguments.usualMemory
  var maxDuration: Duration?
  var threads: ThreadCount?
  /// The limit of losses; nobody has read the plan.
  var maxLoss = LossLimit.count(0)
  var onDiskFull = DiskFullAction.stop
  /// Whether the file itself is changed.
  var isInPlace = false
}

/// `bulkmigrate migrate`: brings a store to the current version in place.
enum MigrateCommand {
  static let command = Command(table) { arguments, context in
    try context.reporting(arguments.store, arguments.output.isJSON) { try run(arguments, context) }
  }

  private static let table = OptionTable(
    command: "migrate",
    summary: "Bring a store to the current version of its model, in its place.",
    explanation: """
      Plans, runs, and puts the migrated store in the place of the old one, with its folder of external \
      values. The old store is kept beside it with a ~ before the extension, until it is deleted; \
      rollback goes back to it. Whenever it is interrupted, the old or the new store, each whole, is in \
      place; do it again to go on. No other program may have the store open. As nobody reads the plan \
      before, nothing may be lost unless --max-loss allows it.
      """,
    examples: [
      Example(
        "bulkmigrate migrate Notes.sqlite --models Notes.xcdatamodeld --mappings Mappings",
        "Bring a store of any version to the current one."
      ),
      Example("bulkmigrate rollback Notes.sqlite", "Go back to the store that it was."),
    ],
    defaults: MigrateArguments(),
    options: [
      .values("models", "DIR", "Where the versions of the model are; folders are searched.") {
        $0.request.models.append($1)
      },
      .values("mappings", "DIR", "Where mappings are; folders are searched.") {
        $0.request.mappings.append($1)
      },
      .values(
        "ignore-mapping",
        "FILE",
        "A mapping that is found there and not to be used. Without it a mapping that is for this way, "
          + "but whose models have changed since it was saved, is refused: inference would lose what it "
          + "carries."
      ) { $0.request.ignoredMappings.append($1) },
      .value("to", "VERSION", "The version that the store shall be; the current one without it.") {
        $0.request.version = $1
      },
      .values(
        "mapping",
        "FILE",
        "A mapping file, where there is one step only; several together are one mapping."
      ) { $0.request.mappingFiles.append($1) },
      .value(
        "configuration",
        "NAME",
        "The configuration of the models whose entities the store has. The others live in stores of their "
          + "own, each with a migration of its own."
      ) { $0.request.configuration = $1 },
      .flag("no-infer", "Infer nothing: only mappings count, for every step of a way.") {
        $0.request.infers = false
      },
      .value("destination-model", "MODEL", "The model that the store shall have.") {
        $0.request.destinationModel = $1
      },
      .flag(
        "rebuild",
        "Write the store anew, by the mapping if one is named, even if it is of this version already."
      ) { $0.request.rebuilds = true },
      .value(
        "strategy",
        "NAME",
        "rebuild writes all rows into a new file, copy copies the file and changes the copy, where rows keep "
          + "their keys. Without it the cheaper one is chosen."
      ) { $0.request.strategy = try StoreStrategy.Kind(parsing: $1) }.among(
        StoreStrategy.Kind.allCases.map(\.rawValue)
      ),
      .flag(
        "in-place",
        "Change the file itself, in one transaction of SQLite. Only for light changes; nothing is kept of the "
          + "old store, so there is no rollback."
      ) { $0.isInPlace = true },
      .flag("no-fuse", "Do the steps of a way one by one.") { $0.request.fuses = false },
      .value("max-memory", short: "m", "SIZE", "Memory the process may hold.") {
        $0.maxMemory = try ByteCount(parsing: $1)
      }.orEnvironment,
      .value(
        "max-loss",
        "N",
        "How many objects, values and links may be lost: none, a number, or all."
      ) { $0.maxLoss = try LossLimit(parsing: $1) }.orEnvironment.among(["none", "all"]),
      .value(
        "max-duration",
        "TIME",
        "Stop after so long (15s, 1h30m), with work left and exit code 6; what cannot be divided is finished "
          + "first, where nothing else was done."
      ) {
        $0.maxDuration = try Duration(parsing: $1)
      }.orEnvironment,
      .value(
        "threads",
        "N",
        "Threads that work at the same time: 1, or 2 where there are two processors."
      ) {
        $0.threads = try ThreadCount(parsing: $1)
      }.orEnvironment,
      .value("on-disk-full", "ACTION", "stop, or wait until there is room.") {
        $0.onDiskFull = try DiskFullAction(parsing: $1)
      }.orEnvironment.among(DiskFullAction.allCases.map(\.rawValue)),
    ],
    operands: [.required("STORE", "The store.") { $0.store = $1 }]
  )

  private static func run(
    _ arguments: MigrateArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    let base = ProcessMemory.resident
    let stopping = Stopping(
      Interruption(),
      after: arguments.maxDuration,
      withParent: false
    )
    let progress = context.output.progress()
    defer { progress.finish() }
    var request = arguments.request
    request.knowsPolicy = { context.policies.policy(named: $0) != nil }
    request.knowsTransformer = { context.policies.hasTransformer(named: $0) }
    var warnings: [String] = []
    let configure: (inout Migration) -> Void = { migration in
      // While the store is only read, a signal ends the process and nothing is lost.
      Interruption.watch()
      migration.memoryLimit = arguments.maxMemory
      migration.baseMemory = base
      migration.lossLimit = arguments.maxLoss
      warnings = migration.plan.warnings
      tellPlan(migration.plan, arguments, context)
      migration.policies = context.policies
      migration.onDiskFull = arguments.onDiskFull
      migration.timeLimit = arguments.maxDuration
      migration.threads = arguments.threads?.threads ?? migration.threads
      migration.stopRequest = {
        StateInquiry.answer(with: progress)
        return stopping.request
      }
      migration.report = {
        progress.update(ProgressSnapshot($0))
        StateInquiry.answer(with: progress)
      }
    }
    do {
      let outcome = try outcome(of: request, arguments, context, configure)
      progress.finish()
      try tell(outcome, warnings: warnings, arguments, context)
      return .done
    } catch MigrationError.cancelled {
      progress.finish()
      context.output.warning("stopped; the store is as it was; do the same again to go on")
      if arguments.output.isJSON {
        let report = FailureReport(stoppedWith: stopping.exitCode, store: arguments.store)
        try context.output.result(try StableJSON.line(report))
      }
      return stopping.exitCode
    } catch let error as MigrationError {
      let next = NextCommands(afterMigrating: arguments.store, program: context.program)
      throw AdvisedError(error: error, next: next)
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
  private static func tellPlan(
    _ plan: MigrationPlan,
    _ arguments: MigrateArguments,
    _ context: CommandContext
  ) {
    for warning in plan.warnings { context.output.warning(warning) }
    guard arguments.maxLoss.allows(plan.losses.certain) else { return }
    for loss in plan.losses { context.output.warning("will be lost: \(loss)") }
  }

  private static func tell(
    _ outcome: InPlaceMigration.Outcome,
    warnings: [String],
    _ arguments: MigrateArguments,
    _ context: CommandContext
  ) throws {
    if arguments.output.isJSON {
      try context.output.json(MigrateReport(outcome, store: arguments.store, warnings: warnings))
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
