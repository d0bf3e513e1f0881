import BulkMigrate

/// What was typed after `bulkmigrate run`.
struct RunArguments: CommandArguments {
  var output = OutputOptions()
  var planPath = PlanCommand.defaultPlanPath
  var maxMemory = ByteCount.mebibytes(256)
  var restarts = false

  static let options: [OptionRow<RunArguments>] = [
    .value("plan", "FILE", "The plan to carry out.") { $0.planPath = $1 },
    .value(
      "max-memory",
      short: "m",
      "SIZE",
      "Memory the process may hold: 256M, 1G, or 25% of what there is."
    ) { $0.maxMemory = try ByteCount(parsing: $1) }.orEnvironment,
  ]
}

/// `bulkmigrate run`: carries out a plan.
enum RunCommand {
  static let command = Command(table) { arguments, context in
    try MigrationRun(arguments, context).run { try $0.run() }
  }

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
    options: RunArguments.options + [
      .flag("restart", "Give up an interrupted migration of the same destination, and begin anew.")
      {
        $0.restarts = true
      }
    ]
  )
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
