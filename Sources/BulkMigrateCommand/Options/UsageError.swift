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
  /// An operand is missing.
  case missingOperand(String)
  /// There are more operands than the command takes.
  case superfluousOperand(String)
  /// A command that the program does not have; the suggestion is the most similar one that it has.
  case unknownCommand(String, suggestion: String?)
  /// Any other contradiction among options, as a sentence.
  case contradiction(String)
}

extension UsageError: ErrorWithExitCode {
  var exitCode: ExitCode { .usage }
}

extension UsageError: CustomStringConvertible {
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
    case .superfluousOperand(let word):
      "superfluous operand '\(word)'"
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
