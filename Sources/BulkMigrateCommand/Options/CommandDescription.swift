/// A command as values: what can be typed, and what it means.
struct CommandDescription: Sendable {
  /// An option.
  struct Option: Sendable {
    let name: String
    let short: Character?
    let placeholder: String?
    let help: String
    let isRepeatable: Bool
    /// The words of which the value is one; empty where it is anything.
    let words: [String]
    /// Why a file of settings may not set it; `nil` if it may.
    let refusedInFile: String?

    /// The option that every command has.
    static let help = Option(
      name: "help",
      short: "h",
      placeholder: nil,
      help: "Show this help.",
      isRepeatable: false,
      words: [],
      refusedInFile: "it only asks for help"
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

  /// The name, that of a group before it.
  let name: String
  let summary: String
  let explanation: String
  let examples: [Example]
  let options: [Option]
  /// What it prints with `--json`.
  let results: [ResultFormat]
  let operands: [Operand]

  /// The command of the group to which it belongs, and its own word; `nil` of the group for others.
  var parts: (group: String?, word: String) {
    let words = name.split(separator: " ").map(String.init)
    return words.count > 1 ? (words[0], words[1]) : (nil, name)
  }
}

extension [CommandDescription] {
  /// Those that are typed as the first word.
  var outer: [CommandDescription] { filter { $0.parts.group == nil } }

  /// The names of groups, in order.
  var groups: [String] {
    compactMap(\.parts.group).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// The commands of a group.
  func inner(of group: String) -> [CommandDescription] { filter { $0.parts.group == group } }
}

/// What a shell completes in a place.
enum CompletedValue: Equatable, Sendable {
  /// Names that `bulkmigrate complete` finds in a plan or a model.
  enum Names: String, CaseIterable, Sendable {
    /// The passes of the plan.
    case passes
    /// The entities of the model, or of the plan's source.
    case entities
    /// The attributes of the model, as `Note.title`.
    case attributes
    /// The relationships of the model, as `Note.tags`.
    case relationships
  }

  case files
  case folders
  case words([String])
  case names(Names)
  /// Nothing that is known before.
  case anything

  /// The kind of value that a placeholder stands for.
  init(placeholder: String) {
    switch placeholder {
    case "FILE", "PLAN", "STORE", "MODEL", "OUT", "OTHER", "STATE|PLAN", "MAPPING": self = .files
    case "DIR": self = .folders
    case "PASS": self = .names(.passes)
    case "ENTITY", "ENTITY=N,…": self = .names(.entities)
    case "ENTITY.ATTRIBUTE=SIZE-SIZE,…", "ENTITY.ATTRIBUTE=RATE,…": self = .names(.attributes)
    case "ENTITY.RELATIONSHIP=MEAN,…": self = .names(.relationships)
    default: self = .anything
    }
  }
}

/// A command line that can be typed literally, and its purpose.
struct Example: Sendable {
  let words: String
  let purpose: String

  init(_ words: String, _ purpose: String) {
    self.words = words
    self.purpose = purpose
  }
}
