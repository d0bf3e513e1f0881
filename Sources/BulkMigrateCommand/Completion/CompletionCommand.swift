struct CompletionCommand: ParsableCommand {
  var output = OutputOptions()
  var shell = Shell.bash

  func run(_ context: CommandContext) throws -> ExitCode {
    try context.output.result(shell.script)
    return .done
  }

  static let table = OptionTable(
    command: "completion",
    summary: "Print a script with which a shell completes command lines.",
    explanation: """
      The script asks the program, which knows all commands, options, their values where there are few, the names in a \
      plan or a model, and where files belong.
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
      .required("SHELL", "bash, zsh or fish.", \.shell)
    ]
  )
}

/// A shell that completes command lines by asking `bulkmigrate complete`.
enum Shell: String, CaseIterable, OptionValue {
  case bash
  case zsh
  case fish

  var script: String {
    switch self {
    case .bash:
      #"""
      _bulkmigrate() {
        local cur=${COMP_WORDS[COMP_CWORD]}
        mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        [[ $cur == '=' ]] && cur=
        case ${COMPREPLY[0]} in
        :files) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); compopt -o filenames 2>/dev/null ;;
        :folders) mapfile -t COMPREPLY < <(compgen -d -- "$cur"); compopt -o filenames 2>/dev/null ;;
        esac
      }
      complete -F _bulkmigrate bulkmigrate
      """#
    case .zsh:
      #"""
      #compdef bulkmigrate
      _bulkmigrate() {
        local -a found
        found=(${(f)"$($words[1] complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
        case $found[1] in
        :files) _files ;;
        :folders) _files -/ ;;
        *) compadd -a found ;;
        esac
      }
      if [[ $funcstack[1] == _bulkmigrate ]]; then _bulkmigrate "$@"; else compdef _bulkmigrate bulkmigrate; fi
      """#
    case .fish:
      #"""
      function __bulkmigrate
        set -l found (bulkmigrate complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
        switch "$found[1]"
          case :files
            __fish_complete_path (commandline -ct)
          case :folders
            __fish_complete_directories (commandline -ct)
          case '*'
            string join \n -- $found
        end
      end
      complete -c bulkmigrate -f -a '(__bulkmigrate)'
      """#
    }
  }
}
