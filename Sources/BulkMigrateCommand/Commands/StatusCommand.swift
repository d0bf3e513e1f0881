import BulkMigrate

/// What was typed after `bulkmigrate status`.
struct StatusArguments: CommandArguments {
  var output = OutputOptions()
  var planPath: String?
  var stateDirectory: String?
}

/// `bulkmigrate status`: tells where a migration stands.
enum StatusCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "status",
    summary: "Tell where a running or interrupted migration stands.",
    explanation: """
      Reads the state directory of a migration, whoever works on it, and changes nothing. The rows are \
      those of the last checkpoint.
      """,
    examples: [
      Example("bulkmigrate status", "Ask about the plan in this folder."),
      Example(
        "bulkmigrate status --state-dir Notes-v3.sqlite.bulkmigrate --json",
        "Ask about a state directory, for a program."
      ),
    ],
    defaults: StatusArguments(),
    options: [
      .value("plan", "FILE", "The plan of the migration.") { $0.planPath = $1 },
      .value("state-dir", "DIR", "The state directory of the migration.") {
        $0.stateDirectory = $1
      }.orEnvironment,
    ]
  )

  private static func run(
    _ arguments: StatusArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    let status = MigrationStatus(try location(arguments))
    if arguments.output.isJSON {
      try context.output.json(StatusReport(status))
    } else {
      try context.output.result(StatusText(status).lines)
    }
    return .done
  }

  private static func location(_ arguments: StatusArguments) throws -> StateLocation {
    if let directory = arguments.stateDirectory { return StateLocation(stateDirectory: directory) }
    let finder = PlanFinder(planPath: arguments.planPath, stateDirectory: nil)
    let plan = try finder.planBegun()
    return StateLocation(destination: plan.destination.store, stateDirectory: nil)
  }
}
