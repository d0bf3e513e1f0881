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
    let all = commands.outer.map { ($0.name, $0.summary) } + [("help", "Show help.")]
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
      + (commands.outer.map { ($0.name, $0.summary) } + topics).map { name, summary in
        "\(beginning("help")) -a \(name) -d \(Self.quoted(summary))"
      } + commands.flatMap(lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of command: CommandDescription) -> [String] {
    let options = command.options.map { option in
      let short = option.short.map { " -s \($0)" } ?? ""
      let value = option.value.map { " -r \(Self.action($0))" } ?? ""
      return beginning(command.name) + short + " -l \(option.name)\(value)"
        + " -d \(Self.quoted(option.help))"
    }
    let operands = command.operands.prefix(1).map { operand in
      "\(beginning(command.name)) \(Self.action(operand.value))"
    }
    return options + operands
  }

  /// A line for a command; a word that also belongs to a group counts for the group after its name.
  private func beginning(_ command: String) -> String {
    let words = command.split(separator: " ")
    var conditions = words.map { "__fish_seen_subcommand_from \($0)" }
    if words.count == 1 {
      let inner = commands.inner(of: command).map(\.parts.word).joined(separator: " ")
      if !inner.isEmpty { conditions.append("not __fish_seen_subcommand_from \(inner)") }
      conditions += commands.groups.filter { $0 != command }.map {
        "not __fish_seen_subcommand_from \($0)"
      }
    }
    return "complete -c bulkmigrate -n '\(conditions.joined(separator: "; and "))'"
  }

  private static func action(_ value: CompletedValue) -> String {
    switch value {
    case .files: "-F"
    case .folders: "-a '(__fish_complete_directories)'"
    case .words(let words): "-f -a \(quoted(words.joined(separator: " ")))"
    case .names(let names):
      "-f -a '(bulkmigrate complete \(names.rawValue) -- (commandline -opc)[2..-1] 2>/dev/null)'"
    case .anything: "-f"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
