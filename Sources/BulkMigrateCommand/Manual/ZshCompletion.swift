/// Completions for zsh.
struct ZshCompletion {
  private let commands: [CommandDescription]
  private let topics: [(name: String, summary: String)]

  init(_ commands: [CommandDescription], _ topics: [(name: String, summary: String)]) {
    self.commands = commands
    self.topics = topics
  }

  /// The script.
  var text: String {
    """
    #compdef bulkmigrate
    # zsh completion for bulkmigrate; made by: bulkmigrate completion zsh
    _bulkmigrate() {
      local curcontext=$curcontext state line
      typeset -A opt_args
      _arguments -C '(- *)'{-h,--help}'[show help]' '(- *)--version[show the version]' \\
        '1: :->command' '*:: :->arguments'
      case $state in
      command)
        local -a commands
        commands=(
    \(lines(commands.map { ($0.name, $0.summary) }))
          'help:Show help.'
        )
        _describe -t commands command commands
        ;;
      arguments)
        case $words[1] in
        help)
          local -a topics
          topics=(
    \(lines(commands.map { ($0.name, $0.summary) } + topics))
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
    commands.map { command in
      let specifications =
        command.options.map(specification)
        + command.operands.enumerated().map { index, operand in
          let colons = operand.isOptional ? "::" : ":"
          return Self.quoted(
            "\(index + 1)\(colons)\(Self.plain(operand.name)):\(action(operand.value))"
          )
        }
      return "    \(command.name))\n      _arguments \\\n        "
        + specifications.joined(separator: " \\\n        ") + "\n      ;;"
    }.joined(separator: "\n")
  }

  private func specification(of option: CommandDescription.Option) -> String {
    var rest = "[\(Self.plain(option.help))]"
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
    case .anything: " "
    }
  }

  /// Text without what separates the parts of a specification.
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
