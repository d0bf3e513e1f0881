import BulkExecute

/// The arguments of `bulkmigrate rollback`.
struct RollbackArguments: CommandArguments {
  var output = OutputOptions()
  var store = ""
}

/// `bulkmigrate rollback`: restores the store that a migration in place has kept.
enum RollbackCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "rollback",
    summary: "Go back to the store that migrate has kept.",
    explanation: """
      Puts the store back that was kept with a ~ before its extension. The migrated one, with everything \
      that was written to it since, is kept as Notes~undone.sqlite. No other program may have the store \
      open.
      """,
    examples: [
      Example("bulkmigrate rollback Notes.sqlite", "Go back from Notes.sqlite to Notes~.sqlite.")
    ],
    results: [.rollback],
    defaults: RollbackArguments(),
    options: [],
    operands: [.required("STORE", "The store that was migrated.") { $0.store = $1 }]
  )

  private static func run(
    _ arguments: RollbackArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    let undone: String
    do {
      undone = try StoreRollback(of: arguments.store).run()
    } catch let error as MigrationError {
      let next = NextCommands(afterMigrating: arguments.store, program: context.program)
      throw AdvisedError(error: error, next: next)
    }
    if arguments.output.isJSON {
      try context.output.json(
        ["outcome": "done", "store": arguments.store, "undone": undone],
        as: .rollback
      )
    } else {
      try context.output.result(
        "\(arguments.store) is what it was; the migrated store is \(undone)"
      )
    }
    return .done
  }
}
