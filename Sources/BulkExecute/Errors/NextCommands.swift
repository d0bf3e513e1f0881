public import BulkVersions
internal import BulkPlan

/// What is to be typed or called after an error, in the words of whoever reads it.
public struct NextCommands: Hashable, Sendable {
  /// Goes on with what was interrupted.
  public var resume: String
  /// Begins.
  public var run: String
  /// Gives up what was interrupted, and begins anew.
  public var restart: String
  /// Goes back to the store that was kept.
  public var rollback: String
  /// Tells where a migration stands, before the name of its state directory.
  public var status: String
  /// How what can be given is called.
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

  /// How to go on after what was not the fault of plan or source.
  var afterFault: String {
    resume == run
      ? "\(resume) goes on"
      : "\(resume) goes on where something was kept, and \(run) begins anew where nothing was"
  }
}
