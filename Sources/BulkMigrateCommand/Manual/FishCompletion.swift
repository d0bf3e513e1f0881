/// Completions for fish.
struct FishCompletion {
  private let commands: [CommandDescription]
  private let topics: [(name: String, summary: String)]

  init(_ commands: [CommandDescription], _ topics: [(name: String, summary: String)]) {
    self.commands = commands
    self.topics = topics
  }

  /// The script.
  var text: String {
    let all = commands.map { ($0.name, $0.summary) } + [("help", "Show help.")]
    let lines =
      [
        "# fish completion for bulkmigrate; made by: bulkmigrate completion fish",
        "complete -c bulkmigrate -f",
        "complete -c bulkmigrate -n __fish_use_subcommand -s h -l help -d 'Show help.'",
        "complete -c bulkmigrate -n __fish_use_subcommand -l version -d 'Show the version.'",
      ]
      + all.map { name, summary in
        "complete -c bulkmigrate -n __fish_use_subcommand -a \(name) -d \(Self.quoted(summary))"
      }
      + (commands.map { ($0.name, $0.summary) } + topics).map { name, summary in
        "\(Self.beginning("help")) -a \(name) -d \(Self.quoted(summary))"
      } + commands.flatMap(lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of command: CommandDescription) -> [String] {
    let options = command.options.map { option in
      let short = option.short.map { " -s \($0)" } ?? ""
      let value = option.value.map { " -r \(Self.action($0))" } ?? ""
      return Self.beginning(command.name) + short + " -l \(option.name)\(value)"
        + " -d \(Self.quoted(option.help))"
    }
    let operands = command.operands.prefix(1).map { operand in
      "\(Self.beginning(command.name)) \(Self.action(operand.value))"
    }
    return options + operands
  }

  private static func beginning(_ command: String) -> String {
    "complete -c bulkmigrate -n '__fish_seen_subcommand_from \(command)'"
  }

  private static func action(_ value: CompletedValue) -> String {
    switch value {
    case .files: "-F"
    case .folders: "-a '(__fish_complete_directories)'"
    case .words(let words): "-f -a \(quoted(words.joined(separator: " ")))"
    case .anything: "-f"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
