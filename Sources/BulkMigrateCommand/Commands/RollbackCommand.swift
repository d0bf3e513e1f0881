import BulkExecute
import BulkMigrate
import BulkVersions

struct RollbackCommand: ParsableCommand {
  var output = OutputOptions()
  var store = ""

  static let table = OptionTable(
    command: "rollback",
    summary: "Go back to the store that migrate has kept.",
    explanation: """
      Puts the store back that was kept with a ~ before its extension. The migrated one, with everything \
      that was written to it since, is kept as Notes~undone.sqlite. No other program may have the store \
      open.
      """,
    examples: [
      "bulkmigrate rollback Notes.sqlite": "Go back from Notes.sqlite to Notes~.sqlite."
    ],
    results: [.record],
    defaults: RollbackCommand(),
    operands: [.required("STORE", "The store that was migrated.", \.store)]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    do {
      let migration = StoreMigration(inPlace: store, PlanRequest(), MigrationSettings())
      let undone = try migration.rollBack()
      var record = MigrationRecord(.rollback)
      (record.state, record.outcome, record.exitCode) = (.done, .done, ExitCode.done.rawValue)
      (record.store, record.undone) = (store, undone)
      return try context.output.show(
        record,
        as: .record,
        ["\(store) is what it was; the migrated store is \(undone)"]
      )
    } catch let error as MigrationError {
      let next = NextCommands(afterMigrating: store, program: context.program)
      throw AdvisedError(error: error, next: next)
    }
  }
}
