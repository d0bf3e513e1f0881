import BulkExecute
import BulkPlan

/// A mistake in a command line or in an environment variable of an option, in a sentence.
struct UsageError: ErrorWithExitCode, Equatable, CustomStringConvertible {
  let description: String
  var exitCode: ExitCode { .usage }

  init(_ description: String) { self.description = description }

  /// A value that is not among an option's words.
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
