internal import BulkVersions
import BulkModel
import BulkPlan

/// The arguments of `bulkmigrate completion`.
struct CompletionArguments: CommandArguments {
  var output = OutputOptions()
  var shell = Shell.bash
}

/// `bulkmigrate completion`: prints what completes command lines.
enum CompletionCommand {
  static let command = Command(table) { arguments, context in
    let commands = context.commands()
    let topics = HelpTopic.allCases.map { ($0.rawValue, $0.summary) }
    try context.output.result(String(arguments.shell.script(commands, topics: topics).dropLast()))
    return .done
  }

  private static let table = OptionTable(
    command: "completion",
    summary: "Print a script with which a shell completes command lines.",
    explanation: """
      The script knows all commands, options, their values where there are few, and where files belong. It \
      is made of the same tables as the help.
      """,
    examples: [
      Example(
        "bulkmigrate completion bash > /etc/bash_completion.d/bulkmigrate",
        "Complete in bash, for all users."
      ),
      Example(
        "bulkmigrate completion zsh > /usr/local/share/zsh/site-functions/_bulkmigrate",
        "Complete in zsh."
      ),
      Example(
        "bulkmigrate completion fish > ~/.config/fish/completions/bulkmigrate.fish",
        "Complete in fish."
      ),
    ],
    results: [],
    defaults: CompletionArguments(),
    operands: [
      .required("SHELL", "bash, zsh or fish.") {
        guard let shell = Shell(rawValue: $1) else {
          throw UnknownWord($1, among: Shell.allCases.map(\.rawValue))
        }
        $0.shell = shell
      }.among(Shell.allCases.map(\.rawValue))
    ]
  )
}

/// The arguments of `bulkmigrate complete`.
struct CompleteArguments: CommandArguments {
  var output = OutputOptions()
  var names = CompletedValue.Names.entities
  /// The words of the command line that is completed.
  var words: [String] = []
}

/// `bulkmigrate complete`: prints names for the completions of shells, which is all that it is for.
enum CompleteCommand {
  static let command = Command(table) { arguments, context in
    let found = try names(arguments.names, CompletedWords(arguments.words))
    try context.output.result(found.filter { !$0.contains("\n") })
    return .done
  }

  private static let table = OptionTable(
    command: "complete",
    summary: "",
    explanation: """
      Prints the passes of the plan, or the entities, attributes or relationships of the model, that a command line \
      names, or of the plan in the current folder. The completions of shells use it.
      """,
    examples: [
      Example(
        "bulkmigrate complete passes -- run --plan notes.plan.json",
        "List the passes of a plan."
      )
    ],
    results: [],
    defaults: CompleteArguments(),
    operands: [
      .required("NAMES", "passes, entities, attributes or relationships.") {
        guard let names = CompletedValue.Names(rawValue: $1) else {
          throw UnknownWord($1, among: CompletedValue.Names.allCases.map(\.rawValue))
        }
        $0.names = names
      }.among(CompletedValue.Names.allCases.map(\.rawValue)),
      .rest("WORDS", "The words of the command line so far.") { $0.words.append($1) },
    ]
  )

  private static func names(
    _ names: CompletedValue.Names,
    _ words: CompletedWords
  ) throws -> [String] {
    switch names {
    case .passes: try words.plan().passes.map(\.name)
    case .entities: try words.model().entities.map(\.name)
    case .attributes:
      try words.model().entities.flatMap { entity in
        entity.attributes.map { "\(entity.name).\($0.name)" }
      }
    case .relationships:
      try words.model().entities.flatMap { entity in
        entity.relationships.map { "\(entity.name).\($0.name)" }
      }
    }
  }
}

/// The words of a command line that is completed.
private struct CompletedWords {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  /// The plan that they name, or that of the current folder.
  func plan() throws -> MigrationPlan {
    try PlanFinder(planPath: value(of: "--plan"), stateDirectory: value(of: "--state-dir"))
      .planBegun()
  }

  /// The model that they name, or that of the plan's source.
  func model() throws -> ManagedObjectModel {
    let path = try value(of: "--model") ?? plan().source.model.path
    return try Planner.model(named: path)
  }

  /// The value of an option, behind it or attached to it.
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
