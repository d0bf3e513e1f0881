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
