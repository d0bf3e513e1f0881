/// A command as values: what can be typed, and what it means.
struct CommandDescription: Sendable {
  /// An option.
  struct Option: Sendable {
    let name: String
    let short: Character?
    let placeholder: String?
    let help: String
    let isRepeatable: Bool
    let environmentName: String?
    /// The words of which the value is one; empty where it is anything.
    let words: [String]

    /// The option that every command has.
    static let help = Option(
      name: "help",
      short: "h",
      placeholder: nil,
      help: "Show this help.",
      isRepeatable: false,
      environmentName: nil,
      words: []
    )

    /// The forms of the option, the short one first.
    var forms: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

    /// What a shell completes as the value; `nil` where there is none.
    var value: CompletedValue? {
      placeholder.map { words.isEmpty ? CompletedValue(placeholder: $0) : .words(words) }
    }
  }

  /// A word that belongs to no option.
  struct Operand: Sendable {
    let name: String
    let help: String
    let isOptional: Bool
    /// The words of which it is one; empty where it is anything.
    let words: [String]

    /// What a shell completes.
    var value: CompletedValue {
      words.isEmpty ? CompletedValue(placeholder: name) : .words(words)
    }
  }

  let name: String
  let summary: String
  let explanation: String
  let examples: [Example]
  let options: [Option]
  let operands: [Operand]
}

/// What a shell completes in a place.
enum CompletedValue: Equatable, Sendable {
  case files
  case folders
  case words([String])
  /// Nothing that is known before.
  case anything

  /// The kind of value that a placeholder stands for.
  init(placeholder: String) {
    switch placeholder {
    case "FILE", "PLAN", "STORE", "MODEL", "OUT", "OTHER", "STATE|PLAN", "MAPPING": self = .files
    case "DIR": self = .folders
    default: self = .anything
    }
  }
}
