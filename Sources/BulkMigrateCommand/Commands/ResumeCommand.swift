import BulkExecute
/// `bulkmigrate resume`: goes on with a migration that was interrupted.
enum ResumeCommand {
  static let command = Command(table) { arguments, context in
    try MigrationRun(arguments, context).run(.onlyWhereItStands)
  }

  private static let table = OptionTable(
    command: "resume",
    summary: "Go on with a migration that was interrupted.",
    explanation: """
      Continues where the last checkpoint beside the destination says, and ends with the same bytes as \
      if nothing had happened. It knows the plan and the memory limit of the interrupted run. The plan, \
      the models, the mapping and the source must be what they were; if they are not, it says so and \
      changes nothing. A migration that is shorter than one batch has no checkpoint: run it again.
      """,
    examples: [
      Example("bulkmigrate resume", "Go on with the migration of the plan in this folder."),
      Example("bulkmigrate resume --plan notes.plan.json", "Go on with that of another plan."),
      Example(
        "bulkmigrate resume --state-dir Notes-v3.sqlite.bulkmigrate",
        "Go on with what a state directory holds."
      ),
    ],
    defaults: RunArguments(),
    options: RunArguments.options
  )
}
