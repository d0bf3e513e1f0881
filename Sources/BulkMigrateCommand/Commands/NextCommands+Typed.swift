import BulkExecute
import BulkPlatform

extension NextCommands {
  /// The commands that can follow `run` or `resume`, with the same options.
  init(after arguments: RunArguments, program: String) {
    var options = ""
    if let plan = arguments.planPath { options += " --plan \(ShellWord.quoted(plan))" }
    var runOptions = options
    if let directory = arguments.stateDirectory {
      let option = " --state-dir \(ShellWord.quoted(directory))"
      options += option
      if arguments.planPath == nil, let plan = Self.keptPlan(in: directory) {
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
    return !manager.fileExists(atPath: PlanCommand.defaultPlanPath)
      && manager.fileExists(atPath: plan) ? plan : nil
  }

  /// The commands that can follow `migrate`, which resumes without a separate command.
  init(afterMigrating store: String, program: String) {
    self.init(program: program)
    resume = "the same command"
    run = resume
    restart = "the same command, after \(store).bulkmigrate was removed,"
    rollback = "\(program) rollback \(ShellWord.quoted(store))"
  }
}

/// A word in shell syntax.
enum ShellWord {
  /// The word, in quotes if a shell would otherwise split or expand it.
  static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "/._-+:,@%".contains($0) }
    guard !isPlain || word.isEmpty else { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
