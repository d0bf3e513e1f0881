import BulkExecute
import Foundation

extension NextCommands {
  /// What can be typed after `run` or `resume`, with the options that these were given.
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

  /// The copy of the plan in a state directory, where that of the current folder is not there.
  private static func keptPlan(in directory: String) -> String? {
    let plan = StateLocation(stateDirectory: directory).planPath
    let manager = FileManager.default
    return !manager.fileExists(atPath: PlanCommand.defaultPlanPath)
      && manager.fileExists(atPath: plan) ? plan : nil
  }

  /// What can be typed after `migrate`, which goes on by itself.
  init(afterMigrating store: String, program: String) {
    self.init(program: program)
    resume = "the same command"
    run = resume
    restart = "the same command, after \(store).bulkmigrate was removed,"
    rollback = "\(program) rollback \(ShellWord.quoted(store))"
  }
}

/// A word as a shell reads it.
enum ShellWord {
  /// The word in quotes, where a shell would otherwise take it apart.
  static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "/._-+:,@%".contains($0) }
    guard !isPlain || word.isEmpty else { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
