import BulkExecute
import BulkPlatform

struct ShowCommand: ParsableCommand {
  var output = OutputOptions()
  var view = PlanView()
  var planPath: String?

  static let table = OptionTable(
    command: "show",
    summary: "Show a plan again, as plan has shown it.",
    explanation: """
      Prints a plan that was made before, or that of an interrupted migration. It reads the plan alone, neither stores \
      nor models, and does not tell whether the plan still holds: for that there is plan --diff.
      """,
    examples: [
      "bulkmigrate show": "Read the plan in this folder.",
      "bulkmigrate show notes.plan.json --full": "Read every entity of another plan.",
    ],
    results: [.plan],
    defaults: ShowCommand(),
    options: PlanView.rows.within(\ShowCommand.view),
    operands: [
      .optional("PLAN", "The plan; without it the plan in this folder.") { $0.planPath = $1 }
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident
    let plan = try planPath.map { try PlanFinder.named($0) } ?? PlanFinder().planBegun()
    try view.refuseEntity(plan, context.output)
    try view.show(plan, base, context.output)
    return .done
  }
}
