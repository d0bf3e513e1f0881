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
        mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
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
        found=(${(f)"$($words[1] completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
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
        set -l found (bulkmigrate completion fish -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
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

enum ShellWord {
  /// The word, in quotes if a shell would otherwise split or expand it.
  static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "/._-+:,@%".contains($0) }
    guard !isPlain || word.isEmpty else { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// The words of a text, split as a POSIX shell splits and quotes; nothing is expanded.
  ///
  /// - Throws: ``UsageError`` if a quotation has no end.
  static func words(of text: String) throws(UsageError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = Substring(text)
    while let character = rest.popFirst() {
      switch (quote, character) {
      case (nil, " "), (nil, "\t"), (nil, "\n"):
        if let word { words.append(word) }
        word = nil
      case (nil, "'"), (nil, "\""):
        quote = character
        word = word ?? ""
      case (character?, character): quote = nil
      case (nil, "\\"), ("\"", "\\"):
        guard let next = rest.popFirst() else { throw UsageError("\(text) ends with a backslash") }
        // Between double quotes it quotes few characters.
        if quote == "\"", !"$`\"\\".contains(next) { word = (word ?? "") + "\\" }
        word = (word ?? "") + String(next)
      default: word = (word ?? "") + String(character)
      }
    }
    if let quote { throw UsageError("in \(text) a \(quote) is not closed") }
    return words + (word.map { [$0] } ?? [])
  }
}
