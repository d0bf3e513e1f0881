/// A word as a shell reads it.
enum ShellWord {
  /// The word in quotes, where a shell would otherwise take it apart.
  static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "/._-+:,@%".contains($0) }
    guard !isPlain || word.isEmpty else { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
