/// Completions for bash.
struct BashCompletion {
  private let commands: [CommandDescription]
  private let topics: [(name: String, summary: String)]

  init(_ commands: [CommandDescription], _ topics: [(name: String, summary: String)]) {
    self.commands = commands
    self.topics = topics
  }

  /// The script.
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
    (commands.outer.map(\.name) + topics.map(\.name)).joined(separator: " ")
  }

  /// The pattern of groups, after which another word belongs to the command.
  private var groups: String {
    commands.groups.isEmpty ? "''" : commands.groups.joined(separator: " | ")
  }

  /// What follows an option.
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
