import BulkPlan
import BulkExecute

/// An error in a command line or in an environment variable of an option.
enum UsageError: Error, Equatable {
  /// An option that the command does not have; the suggestion is the most similar one that it has.
  case unknownOption(String, suggestion: String?)
  /// An option that needs a value came last or before another option.
  case missingValue(option: String, placeholder: String)
  /// A value was attached to an option that takes none.
  case superfluousValue(option: String, value: String)
  /// An option that may be given once was given twice.
  case repeatedOption(String)
  /// An option's value, or the value of its environment variable, was refused.
  case refusedValue(option: String, reason: String)
  case missingOperand(String)
  /// There are more operands than the command takes; the option is one that takes such a word.
  case superfluousOperand(String, option: String? = nil)
  /// A command that the program does not have; the suggestion is the most similar one that it has.
  case unknownCommand(String, suggestion: String?)
  /// Any other contradiction among options, as a sentence.
  case contradiction(String)
}

extension UsageError: ErrorWithExitCode, CustomStringConvertible {
  var exitCode: ExitCode { .usage }

  var description: String {
    switch self {
    case .unknownOption(let name, let suggestion):
      "unknown option \(name)" + Self.question(suggestion)
    case .missingValue(let option, let placeholder):
      "\(option) needs a value: \(option) \(placeholder)"
    case .superfluousValue(let option, let value):
      "\(option) takes no value, but '\(value)' is attached to it"
    case .repeatedOption(let name):
      "\(name) is given twice"
    case .refusedValue(let option, let reason):
      "\(option): \(reason)"
    case .missingOperand(let name):
      "missing operand \(name)"
    case .superfluousOperand(let word, let option):
      "superfluous operand '\(word)'"
        + Self.question(option.map { "\($0) \(ShellWord.quoted(word))" })
    case .unknownCommand(let name, let suggestion):
      "unknown command '\(name)'" + Self.question(suggestion)
    case .contradiction(let sentence):
      sentence
    }
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean \($0)?" } ?? ""
  }
}

/// A value that is not among an option's words.
struct UnknownWord: Error, Equatable, CustomStringConvertible {
  private let word: String
  private let known: [String]

  init(_ word: String, among known: [String]) {
    self.word = word
    self.known = known
  }

  var description: String {
    known.count == 1
      ? "'\(word)' is not \(known[0])" : "'\(word)' is neither \(known.joined(separator: " nor "))"
  }
}

extension LossLimit {
  /// Parses a limit: `none`, `all`, or a number of objects, values and links together.
  init(parsing text: String) throws(UnknownWord) {
    switch text {
    case "none": self = .count(0)
    case "all": self = .all
    default:
      guard let count = Int64(text.replacing(",", with: "")), count >= 0 else {
        throw UnknownWord(text, among: ["none", "a number", "all"])
      }
      self = .count(count)
    }
  }
}

/// A number of threads.
struct ThreadCount {
  let threads: Int
  /// As many as have something to do: one makes pages, the other writes them.
  private static let most = 2

  /// Parses a number of at least 1.
  init(parsing text: String) throws(UnknownWord) {
    guard let threads = Int(text), (1...Self.most).contains(threads) else {
      throw UnknownWord(text, among: ["a number of threads: there are 1 or 2"])
    }
    self.threads = threads
  }
}
