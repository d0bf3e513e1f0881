/// A shell for which there are completions.
enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  /// The script that completes command lines of the program, with a line break at its end.
  func script(_ commands: [CommandDescription]) -> String {
    switch self {
    case .bash: BashCompletion(commands: commands).text
    case .zsh: ZshCompletion(commands: commands).text
    case .fish: FishCompletion(commands: commands).text
    }
  }
}

struct BashCompletion {
  let commands: [CommandDescription]

  var text: String {
    """
    # bash completion for bulkmigrate; made by: bulkmigrate completion bash
    _bulkmigrate() {
      local cur=${COMP_WORDS[COMP_CWORD]} prev= command= index
      ((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD - 1]}
      # A value behind = is a word of its own.
      [[ $cur == '=' ]] && cur=
      [[ $prev == '=' ]] && ((COMP_CWORD > 1)) && prev=${COMP_WORDS[COMP_CWORD - 2]}
      for ((index = 1; index < COMP_CWORD; index++)); do
        [[ ${COMP_WORDS[index]} == -* ]] && continue
        command="${command:+$command }${COMP_WORDS[index]}"
        case $command in
        \(groups)) ;;
        *) break ;;
        esac
      done
      COMPREPLY=()
      _bulkmigrate_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
      _bulkmigrate_paths() {
        mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
        compopt -o filenames 2>/dev/null
      }
      _bulkmigrate_names() {
        local IFS=$'\\n'
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" complete "$1" -- "${COMP_WORDS[@]:1}" 2>/dev/null)" -- "$cur")
      }
      case $command:$prev in
    \(values)
      esac
      if [[ $cur == -* ]]; then
        case $command in
    \(options)
        *) _bulkmigrate_words "--help --version" ;;
        esac
        return
      fi
      case $command in
      '') _bulkmigrate_words "\(names)" ;;
      help) _bulkmigrate_words "\(helpNames)" ;;
    \(operands)
      esac
    }
    complete -F _bulkmigrate bulkmigrate

    """
  }

  private var names: String { (commands.outer.map(\.name) + ["help"]).joined(separator: " ") }

  private var helpNames: String {
    commands.helped.map(\.name).joined(separator: " ")
  }

  /// The pattern of groups, after which another word belongs to the command.
  private var groups: String {
    commands.groups.isEmpty ? "''" : commands.groups.joined(separator: " | ")
  }

  /// The values that follow an option.
  private var values: String {
    let lines = commands.flatMap { command in
      command.options.compactMap { option -> String? in
        guard let value = option.value else { return nil }
        let places = option.forms.map { "'\(command.name)':\($0)" }.joined(separator: " | ")
        return "  \(places)) \(Self.action(value))return ;;"
      }
    }
    return lines.joined(separator: "\n")
  }

  private var options: String {
    commands.map { command in
      let forms = command.options.flatMap(\.forms).joined(separator: " ")
      return "    '\(command.name)') _bulkmigrate_words \"\(forms)\" ;;"
    }.joined(separator: "\n")
  }

  private var operands: String {
    commands.compactMap { command in
      guard let first = command.operands.first else { return nil }
      return "  '\(command.name)') \(Self.action(first.value)) ;;"
    }.joined(separator: "\n")
  }

  private static func action(_ value: CompletedValue) -> String {
    switch value {
    case .files: "_bulkmigrate_paths -f; "
    case .folders: "_bulkmigrate_paths -d; "
    case .words(let words): "_bulkmigrate_words \"\(words.joined(separator: " "))\"; "
    case .names(let names): "_bulkmigrate_names \(names.rawValue); "
    case .anything: ""
    }
  }
}

struct FishCompletion {
  let commands: [CommandDescription]

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
      + commands.helped.map { name, summary in
        "\(beginning("help")) -a \(name) -d \(Self.quoted(summary))"
      } + commands.flatMap(lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of command: CommandDescription) -> [String] {
    let options = command.options.map { option in
      let short = option.short.map { " -s \($0)" } ?? ""
      let value = option.value.map { " -r \(Self.action($0))" } ?? ""
      return beginning(command.name) + short + " -l \(option.name)\(value)"
        + " -d \(Self.quoted(option.explanation))"
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
