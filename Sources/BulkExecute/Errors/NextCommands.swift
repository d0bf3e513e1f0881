public import BulkVersions
internal import BulkPlan

/// The commands or calls to suggest after an error, in the words of the caller.
public struct NextCommands: Hashable, Sendable {
  /// Resumes an interrupted migration.
  public var resume: String
  /// Begins a migration by a plan.
  public var run: String
  /// Discards an interrupted migration, and restarts.
  public var restart: String
  /// Returns to the kept store.
  public var rollback: String
  /// Shows the status of a migration; the name of its state directory follows.
  public var status: String
  /// The names of the arguments.
  public var names = ArgumentNames.options

  /// The commands of a program.
  ///
  /// - Parameters:
  ///   - program: Its name.
  ///   - options: The options by which `resume` finds the migration, with a space before each.
  ///   - runOptions: The same for `run`.
  public init(program: String = "bulkmigrate", options: String = "", runOptions: String = "") {
    resume = "\(program) resume\(options)"
    run = "\(program) run\(runOptions)"
    restart = "\(program) run --restart\(runOptions)"
    rollback = "\(program) rollback"
    status = "\(program) status --state-dir"
  }

  /// How to proceed after an error that neither plan nor source caused.
  var afterFault: String {
    resume == run
      ? "\(resume) continues"
      : "\(resume) continues where something was kept, and \(run) starts over where nothing was"
  }
}
