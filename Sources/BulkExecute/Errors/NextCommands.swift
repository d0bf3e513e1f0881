package import BulkVersions

/// The commands or calls to suggest after an error, in the words of the caller.
package struct NextCommands: Hashable, Sendable {
  /// Resumes an interrupted migration.
  package var resume: String
  /// Begins a migration by a plan.
  package var run: String
  /// Discards an interrupted migration, and restarts.
  package var restart: String
  /// Returns to the kept store.
  package var rollback: String
  /// Shows the status of a migration; the name of its state directory follows.
  package var status: String
  package var names = ArgumentNames.options

  /// The commands of a program.
  ///
  /// - Parameters:
  ///   - program: Its name.
  ///   - options: The options by which `resume` finds the migration, with a space before each.
  ///   - runOptions: The same for `run`.
  package init(program: String = "bulkmigrate", options: String = "", runOptions: String = "") {
    resume = "\(program) resume\(options)"
    run = "\(program) run\(runOptions)"
    restart = "\(program) run --restart\(runOptions)"
    rollback = "\(program) rollback"
    status = "\(program) status"
  }

  /// How to proceed after an error that neither plan nor source caused.
  var afterFault: String {
    resume == run
      ? "\(resume) continues"
      : "\(resume) continues where something was kept, and \(run) starts over where nothing was"
  }
}
