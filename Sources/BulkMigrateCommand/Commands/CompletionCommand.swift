internal import BulkVersions
import BulkModel
import BulkPlan

struct CompletionCommand: ParsableCommand {
  var output = OutputOptions()
  var shell = Shell.bash

  func run(_ context: CommandContext) throws -> ExitCode {
    try context.output.result(String(shell.script(context.commands()).dropLast()))
    return .done
  }

  static let table = OptionTable(
    command: "completion",
    summary: "Print a script with which a shell completes command lines.",
    explanation: """
      The script knows all commands, options, their values where there are few, and where files belong. It \
      is made of the same tables as the help.
      """,
    examples: [
      "bulkmigrate completion bash > /etc/bash_completion.d/bulkmigrate":
        "Complete in bash, for all users.",
      "bulkmigrate completion zsh > /usr/local/share/zsh/site-functions/_bulkmigrate":
        "Complete in zsh.",
      "bulkmigrate completion fish > ~/.config/fish/completions/bulkmigrate.fish":
        "Complete in fish.",
    ],
    results: [],
    defaults: CompletionCommand(),
    operands: [
      .required("SHELL", "bash, zsh or fish.") {
        $0.shell = try Shell(parsing: $1)
      }.among(Shell.words)
    ]
  )
}

/// `bulkmigrate complete`: prints names for the completions of shells, its only purpose.
struct CompleteCommand: ParsableCommand {
  var output = OutputOptions()
  var names = CompletedValue.Names.entities
  /// The words of the command line that is completed.
  var words: [String] = []

  func run(_ context: CommandContext) throws -> ExitCode {
    try context.output.result(found().filter { !$0.contains("\n") })
    return .done
  }

  static let table = OptionTable(
    command: "complete",
    summary: "",
    explanation: """
      Prints the passes of the plan, or the entities, attributes or relationships of the model, that a command line \
      names, or of the plan in the current folder. The completions of shells use it.
      """,
    examples: [
      "bulkmigrate complete passes -- run --plan notes.plan.json": "List the passes of a plan."
    ],
    results: [],
    defaults: CompleteCommand(),
    operands: [
      .required("NAMES", "passes, entities, attributes or relationships.") {
        $0.names = try CompletedValue.Names(parsing: $1)
      }.among(CompletedValue.Names.words),
      .rest("WORDS", "The words of the command line so far.") { $0.words.append($1) },
    ]
  )

  private func found() throws -> [String] {
    switch names {
    case .passes: try plan().passes.map(\.name)
    case .entities: try model().entities.map(\.name)
    case .attributes:
      try model().entities.flatMap { entity in
        entity.attributes.map { "\(entity.name).\($0.name)" }
      }
    case .relationships:
      try model().entities.flatMap { entity in
        entity.relationships.map { "\(entity.name).\($0.name)" }
      }
    }
  }

  /// The plan that the words name, or that of the current folder.
  private func plan() throws -> MigrationPlan {
    try PlanFinder(planPath: value(of: "--plan"), stateDirectory: value(of: "--state-dir"))
      .planBegun()
  }

  /// The model that the words name, or that of the plan's source.
  private func model() throws -> ManagedObjectModel {
    let path = try value(of: "--model") ?? plan().source.model.path
    return try Planner.model(named: path)
  }

  /// The value of an option in the words, behind it or attached to it.
  private func value(of option: String) -> String? {
    for (index, word) in words.enumerated() {
      if word == option, index + 1 < words.count {
        // bash divides at =.
        return words[index + 1] == "=" ? words.dropFirst(index + 2).first : words[index + 1]
      }
      if word.hasPrefix("\(option)=") { return String(word.dropFirst(option.count + 1)) }
    }
    return nil
  }
}
