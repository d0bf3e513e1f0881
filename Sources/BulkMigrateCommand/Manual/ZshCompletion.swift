struct ZshCompletion {
  let commands: [CommandDescription]

  var text: String {
    """
    #compdef bulkmigrate
    # zsh completion for bulkmigrate; made by: bulkmigrate completion zsh
    _bulkmigrate_names() {
      local -a names
      names=(${(f)"$(_call_program names bulkmigrate complete $1 -- ${(q)words} 2>/dev/null)"})
      compadd -a names
    }
    _bulkmigrate() {
      local curcontext=$curcontext state line
      typeset -A opt_args
      _arguments -C '(- *)'{-h,--help}'[show help]' '(- *)--version[show the version]' \\
        '1: :->command' '*:: :->arguments'
      case $state in
      command)
        local -a commands
        commands=(
    \(lines(commands.outer.map { ($0.name, $0.summary) }))
          'help:Show help.'
        )
        _describe -t commands command commands
        ;;
      arguments)
        case $words[1] in
        help)
          local -a topics
          topics=(
    \(lines(commands.helped))
          )
          _describe -t topics topic topics
          ;;
    \(arguments)
        esac
        ;;
      esac
    }
    if [[ $funcstack[1] == _bulkmigrate ]]; then _bulkmigrate "$@"; else compdef _bulkmigrate bulkmigrate; fi

    """
  }

  private func lines(_ items: [(name: String, summary: String)]) -> String {
    items.map { "      \(Self.quoted("\($0.name):\(Self.plain($0.summary))"))" }
      .joined(separator: "\n")
  }

  private var arguments: String {
    commands.outer.map { command in
      let inner = commands.inner(of: command.name)
      return "    \(command.name))\n"
        + (inner.isEmpty ? specifications(of: command) : group(inner)) + "\n      ;;"
    }.joined(separator: "\n")
  }

  /// The words after a command, as specifications.
  private func specifications(of command: CommandDescription) -> String {
    let specifications =
      command.options.map(specification)
      + command.operands.enumerated().map { index, operand in
        let colons = operand.isOptional ? "::" : ":"
        return Self.quoted(
          "\(index + 1)\(colons)\(Self.plain(operand.name)):\(action(operand.value))"
        )
      }
    return "      _arguments \\\n        " + specifications.joined(separator: " \\\n        ")
  }

  /// The words after a group: one of its commands, then the words of that command.
  private func group(_ commands: [CommandDescription]) -> String {
    let cases = commands.map { command in
      "      \(command.parts.word))\n\(specifications(of: command))\n        ;;"
    }
    let words = commands.map(\.parts.word).joined(separator: " ")
    return """
            if ((CURRENT == 2)); then
              compadd \(words)
              return
            fi
            shift words
            ((CURRENT--))
            case $words[1] in
      \(cases.joined(separator: "\n"))
            esac
      """
  }

  private func specification(of option: CommandDescription.Option) -> String {
    var rest = "[\(Self.plain(option.explanation))]"
    if let placeholder = option.placeholder, let value = option.value {
      rest += ":\(Self.plain(placeholder)):\(action(value))"
    }
    let repeated = option.isRepeatable ? "*" : ""
    guard option.forms.count > 1 else {
      return Self.quoted(repeated + (option.forms.first ?? "") + rest)
    }
    let exclusion = option.isRepeatable ? "'*'" : "'(\(option.forms.joined(separator: " ")))'"
    return "\(exclusion){\(option.forms.joined(separator: ","))}\(Self.quoted(rest))"
  }

  private func action(_ value: CompletedValue) -> String {
    switch value {
    case .files: "_files"
    case .folders: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .names(let names): "{_bulkmigrate_names \(names.rawValue)}"
    case .anything: " "
    }
  }

  /// Text without the separators of a specification.
  private static func plain(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "[]:\\".contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
