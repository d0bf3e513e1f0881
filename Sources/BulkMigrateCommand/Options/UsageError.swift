import BulkExecute
import BulkPlan

/// A mistake in a command line or in an environment variable of an option, in a sentence.
struct UsageError: ErrorWithExitCode, Equatable, CustomStringConvertible {
  let description: String
  var exitCode: ExitCode { .usage }

  init(_ description: String) { self.description = description }

  init(_ word: String, among known: [String]) {
    self.init(
      known.count == 1
        ? "'\(word)' is not \(known[0])"
        : "'\(word)' is neither \(known.joined(separator: " nor "))"
    )
  }

  static func missingOperand(_ name: String) -> UsageError { UsageError("missing operand \(name)") }

  /// There are more operands than the command takes; the option is one that takes such a word.
  static func superfluousOperand(_ word: String, option: String? = nil) -> UsageError {
    let suggestion = option.map { "\($0) \(ShellWord.quoted(word))" }
    return UsageError("superfluous operand '\(word)'" + question(suggestion))
  }

  /// A command, an option or a variable that does not exist, with what to use instead.
  ///
  /// ``FormerWord`` may have it by one of the former names, which are the word itself if left out; otherwise the suggestion
  /// is made.
  static func unknown(
    _ kind: String,
    _ word: String,
    former: [String]? = nil,
    suggestion: String?
  ) -> UsageError {
    let advice = (former ?? [word]).compactMap { FormerWord.advice[$0] }.first
    let ending = advice.map { "; \($0)" } ?? question(suggestion)
    return UsageError("unknown \(kind) \(kind == "command" ? "'\(word)'" : word)\(ending)")
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean \($0)?" } ?? ""
  }
}

extension LossLimit: OptionValue {
  static var words: [String] { ["none", "all"] }

  /// Parses a limit: `none`, `all`, or a number of objects, values and links together.
  init(parsing text: String) throws(UsageError) {
    switch text {
    case "none": self = .count(0)
    case "all": self = .all
    default:
      guard let count = Int64(text.replacing(",", with: "")), count >= 0 else {
        throw UsageError(text, among: ["none", "a number", "all"])
      }
      self = .count(count)
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
    if let quote { throw UsageError("\(text) has no second \(quote)") }
    return words + (word.map { [$0] } ?? [])
  }
}
