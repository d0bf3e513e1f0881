internal import BulkVersions
import BulkExecute
import BulkPlan

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
    let status = try status(arguments)
    if arguments.output.isJSON {
      try context.output.json(StatusReport(status))
    } else {
      let next = NextCommands(after: runArguments(arguments, status), program: context.program)
      try context.output.result(StatusText(status, next).lines)
    }
    return .done
  }

  private static func status(_ arguments: StatusArguments) throws -> MigrationStatus {
    if let directory = arguments.stateDirectory {
      let plan = try arguments.planPath.map { path throws(PlanError) in
        try MigrationPlan(contentsOf: path)
      }
      return MigrationStatus(StateLocation(stateDirectory: directory), of: plan)
    }
    let finder = PlanFinder(planPath: arguments.planPath, stateDirectory: nil)
    let plan = try finder.planBegun()
    let store = plan.destination.store
    return MigrationStatus(StateLocation(destination: store, stateDirectory: nil), of: plan)
  }

  /// With what `run` and `resume` find what was asked for.
  private static func runArguments(
    _ arguments: StatusArguments,
    _ status: MigrationStatus
  ) -> RunArguments {
    var result = RunArguments()
    result.planPath = arguments.planPath
    result.stateDirectory =
      arguments.stateDirectory
      ?? (status.state == .interrupted && arguments.planPath == nil ? status.stateDirectory : nil)
    return result
  }
}
