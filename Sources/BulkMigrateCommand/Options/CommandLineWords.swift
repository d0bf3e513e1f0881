/// The words of a command line, told apart into options and operands.
struct CommandLineWords {
  /// One word, or the part of one that names an option.
  enum Word: Equatable {
    /// `--name` or `-n`, with what follows in the same word.
    case option(String, attached: String?)
    /// A word that belongs to no option; `-` by itself is one.
    case operand(String)
  }

  private var words: ArraySlice<String>
  private var onlyOperands = false

  init(_ words: [String]) {
    self.words = words[...]
  }

  /// The next word; `--` is swallowed and makes operands of all that follow.
  mutating func next() -> Word? {
    guard let word = words.popFirst() else { return nil }
    if onlyOperands || !Self.looksLikeOption(word) { return .operand(word) }
    if word == "--" {
      onlyOperands = true
      return next()
    }
    if word.hasPrefix("--") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return .option(String(parts[0]), attached: parts.count == 2 ? String(parts[1]) : nil)
    }
    let attached = word.dropFirst(2)
    return .option(String(word.prefix(2)), attached: attached.isEmpty ? nil : String(attached))
  }

  /// The next word as the value of the option before it, unless it looks like an option itself.
  ///
  /// Such a value can still be given with `--name=value`.
  mutating func nextValue() -> String? {
    guard let word = words.first, !Self.looksLikeOption(word) else { return nil }
    return words.popFirst()
  }

  private static func looksLikeOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word != "-"
  }
}
