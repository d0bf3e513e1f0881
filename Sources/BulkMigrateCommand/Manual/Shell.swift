/// A shell for which there are completions.
enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  /// The script that completes command lines of the program.
  ///
  /// - Parameters:
  ///   - commands: The commands.
  ///   - topics: The subjects of help that are no command, each with a line about it.
  /// - Returns: The script, with a line break at its end.
  func script(_ commands: [CommandDescription], topics: [(name: String, summary: String)]) -> String
  {
    switch self {
    case .bash: BashCompletion(commands, topics).text
    case .zsh: ZshCompletion(commands, topics).text
    case .fish: FishCompletion(commands, topics).text
    }
  }
}
