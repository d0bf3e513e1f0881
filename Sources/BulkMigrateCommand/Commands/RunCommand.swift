import BulkMigrate

/// What was typed after `bulkmigrate run`.
struct RunArguments: CommandArguments {
  var output = OutputOptions()
  var planPath = PlanCommand.defaultPlanPath
  var maxMemory = ByteCount.mebibytes(256)
}

/// `bulkmigrate run`: carries out a plan.
enum RunCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "run",
    summary: "Carry out a plan.",
    explanation: """
      Makes the destination that a plan describes, pass by pass and in batches, within the memory \
      limit. The destination appears under its name when it is whole and on the disk, or not at all; \
      an existing one is never overwritten. A plan whose inputs have changed is refused.
      """,
    examples: [
      Example("bulkmigrate run --max-memory 256M", "Carry out the plan in this folder."),
      Example("bulkmigrate run --plan notes.plan.json", "Carry out another plan."),
    ],
    defaults: RunArguments(),
    options: [
      .value("plan", "FILE", "The plan to carry out.") { $0.planPath = $1 },
      .value(
        "max-memory",
        short: "m",
        "SIZE",
        "Memory the process may hold: 256M, 1G, or 25% of what there is."
      ) { $0.maxMemory = try ByteCount(parsing: $1) }.orEnvironment,
    ]
  )

  private static func run(_ arguments: RunArguments, _ context: CommandContext) throws -> ExitCode {
    let plan = try MigrationPlan(contentsOf: arguments.planPath)
    let interruption = Interruption.watch()
    let progress = context.output.progress()
    let elapsed = Platform.elapsedTime()
    var migration = Migration(plan)
    migration.memoryLimit = arguments.maxMemory
    migration.policies = context.policies
    migration.isCancelled = { interruption.signal != nil }
    migration.report = { progress.update(ProgressSnapshot($0)) }
    context.output.note("memory limit \(arguments.maxMemory) (\(arguments.maxMemory.bytes) bytes)")
    do {
      let outcome = try migration.run()
      progress.finish()
      try report(outcome, after: elapsed(), arguments, context)
      return .done
    } catch MigrationError.cancelled {
      progress.finish()
      _ = context.output.report(MigrationError.cancelled)
      return interruption.exitCode
    } catch {
      progress.finish()
      throw error
    }
  }

  private static func report(
    _ outcome: MigrationOutcome,
    after time: Duration,
    _ arguments: RunArguments,
    _ context: CommandContext
  ) throws {
    for (relationship, count) in outcome.losses.sorted(by: { $0.key < $1.key }) {
      context.output.warning(
        "\(NumberText.grouped(count)) \(count == 1 ? "object fell" : "objects fell") out of "
          + "relationship \(relationship), not being migrated"
      )
    }
    if arguments.output.isJSON {
      try context.output.json(RunReport(outcome, seconds: time / .seconds(1)))
      return
    }
    guard let destination = outcome.destination else {
      try context.output.result("the store fits the model already: nothing was done")
      return
    }
    let peak = outcome.peakMemory.map { ", peak memory \($0)" } ?? ""
    try context.output.result(
      "\(destination): \(NumberText.grouped(outcome.rows)) rows, \(outcome.size), "
        + "in \(NumberText.short(time))\(peak)"
    )
  }
}

/// What `run --json` prints.
struct RunReport: Encodable {
  let outcome: String
  let destination: String?
  let rows: Int64
  let losses: [String: Int64]
  let bytes: Int64
  let seconds: Double
  let peakMemoryBytes: Int64?

  init(_ outcome: MigrationOutcome, seconds: Double) {
    self.outcome = outcome.destination == nil ? "already" : "done"
    destination = outcome.destination
    rows = outcome.rows
    losses = outcome.losses
    bytes = outcome.size.bytes
    self.seconds = seconds
    peakMemoryBytes = outcome.peakMemory?.bytes
  }
}

extension ProgressSnapshot {
  init(_ progress: MigrationProgress) {
    self.init(
      pass: progress.pass,
      passCount: progress.passCount,
      stage: progress.stage.rawValue,
      rowsDone: progress.rowsDone,
      rowsTotal: progress.rowsTotal,
      memory: progress.memory,
      memoryLimit: progress.memoryLimit
    )
  }
}
