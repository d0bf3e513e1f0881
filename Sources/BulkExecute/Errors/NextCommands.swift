package import BulkPlan

/// The commands or calls to suggest after an error, in the words of the caller.
package struct NextCommands: Hashable, Sendable {
  package var resume: String
  package var run: String
  package var restart: String
  package var rollback: String
  /// Shows the status of a migration; the name of its state directory follows.
  package var status: String
  package var names = ArgumentNames.options

  /// Options begin with a space; by those of `resume` the migration is found.
  package init(program: String = "bulkmigrate", options: String = "", runOptions: String = "") {
    resume = "\(program) resume\(options)"
    run = "\(program) run\(runOptions)"
    restart = "\(program) run --restart\(runOptions)"
    rollback = "\(program) rollback"
    status = "\(program) status"
  }

  var afterFault: String {
    resume == run
      ? "\(resume) continues"
      : "\(resume) continues where something was kept, and \(run) starts over where nothing was"
  }
}
