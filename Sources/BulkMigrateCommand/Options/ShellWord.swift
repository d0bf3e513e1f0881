/// A word in shell syntax.
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
    if let quote { throw UsageError("\(text) has no second \(quote)") }
    return words + (word.map { [$0] } ?? [])
  }
}
