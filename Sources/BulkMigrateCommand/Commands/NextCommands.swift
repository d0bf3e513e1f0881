internal import BulkPlan
import BulkExecute
import BulkSupport

extension Refusal {
  /// An error of a migration, with the commands that can follow it.
  init(_ error: MigrationError, _ next: NextCommands, hasQuarantine: Bool = false) {
    var text = error.text(next)
    if hasQuarantine, case .invalidObjects = error {
      text +=
        "\nto leave such objects out and keep them beside the destination, repeat the command with --on-error quarantine"
    }
    self.init(error.exitCode, text)
  }

  /// Refuses to continue or to control a migration that is done, in place of an error that finds nothing at work.
  static func refuseDone(
    _ error: MigrationError,
    _ location: StateLocation,
    _ plan: MigrationPlan?
  ) throws(Refusal) {
    switch error {
    // What a folder still holds is removed by another run.
    case .nothingToResume where !FileManager.default.fileExists(atPath: location.path): break
    case .notAtWork: break
    default: return
    }
    let record = MigrationRecord(location, of: plan)
    guard record.state == .done, let store = record.plan?.destination.store else { return }
    throw Refusal(
      .noInput,
      "the migration is done: \(store) is complete, and no process works on it"
    )
  }
}

extension NextCommands {
  /// The commands that can follow `run` or `resume`, with the same options.
  init(_ planPath: String?, stateDirectory: String?, program: String) {
    var options = ""
    if let planPath { options += " --plan \(ShellWord.quoted(planPath))" }
    var runOptions = options
    if let directory = stateDirectory {
      let option = " --state-dir \(ShellWord.quoted(directory))"
      options += option
      if planPath == nil, let plan = Self.keptPlan(in: directory) {
        runOptions += " --plan \(ShellWord.quoted(plan))"
      }
      runOptions += option
    }
    self.init(program: program, options: options, runOptions: runOptions)
  }

  /// The copy of the plan in a state directory, if the current folder has no plan.
  private static func keptPlan(in directory: String) -> String? {
    let plan = StateLocation(stateDirectory: directory).planPath
    let manager = FileManager.default
    return !manager.fileExists(atPath: Arguments.usualPlanPath)
      && manager.fileExists(atPath: plan) ? plan : nil
  }

  init(afterMigrating store: String, program: String) {
    self.init(program: program)
    resume = "the same command"
    run = resume
    restart = "the same command, after \(store).bulkmigrate was removed,"
    rollback = "\(program) rollback \(ShellWord.quoted(store))"
  }
}
