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

enum PolicyWords {
  static func add(_ text: String, to commands: inout [String: [String]]) throws {
    guard let end = text.firstIndex(of: "="), end > text.startIndex else {
      throw UsageError("\(text) is not NAME=COMMAND, a policy and its program")
    }
    let name = String(text[..<end])
    let words = try ShellWord.words(of: String(text[text.index(after: end)...]))
    guard !words.isEmpty else {
      throw UsageError("policy \(name) has no program; write \(name)='program arguments'")
    }
    guard commands.updateValue(words, forKey: name) == nil else {
      throw UsageError("policy \(name) is named twice")
    }
  }

  /// A command line without the commands of policies, as the state records it.
  static func withoutCommands(_ words: [String]) -> [String] {
    words.indices.map { index in
      let isNamed = index > 0 && words[index - 1] == "--policy"
      guard isNamed || words[index].hasPrefix("--policy=") else { return words[index] }
      let parts = words[index].split(separator: "=", omittingEmptySubsequences: false)
      return (parts.prefix(isNamed ? 1 : 2) + ["…"]).joined(separator: "=")
    }
  }
}
