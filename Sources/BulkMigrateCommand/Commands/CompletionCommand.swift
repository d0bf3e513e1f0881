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
