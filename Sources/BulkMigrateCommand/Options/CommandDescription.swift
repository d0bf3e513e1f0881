/// A command as values: its syntax and its meaning.
struct CommandDescription: Sendable {
  /// An option: its names, its help, and the values that it takes.
  struct Option: Sendable {
    let name: String
    var short: Character?
    /// The placeholder of the value in the help; `nil` if the option takes none.
    var placeholder: String?
    var help = ""
    var isRepeatable = false
    /// The words among which the value is one; empty if it is free.
    var words: [String] = []
    /// The value without any; `nil` where there is none, or where it depends.
    var usual: String?
    /// The section of the help in which it stands.
    var group: OptionGroup { OptionGroup.of(name) }
    /// Whether the environment may not set it.
    var isOnlyTyped = false

    /// The option that every command has.
    static var help: Option {
      Option(name: "help", short: "h", help: "Show this help.", isOnlyTyped: true)
    }

    var explanation: String { usual.map { "\(help) Default: \($0)." } ?? help }

    /// The full form of the option, `--name`.
    var longForm: String { "--\(name)" }

    /// The forms of the option, the short one first.
    var forms: [String] { (short.map { ["-\($0)"] } ?? []) + [longForm] }

    /// Whether it is set or not, and neither has a value nor is counted.
    var isFlag: Bool { placeholder == nil && !isRepeatable }

    /// The variable of the environment that sets it, `BULKMIGRATE_<NAME>`.
    ///
    /// `1` sets a flag, and `0` does not; each line is a value of an option that may be repeated. An empty variable
    /// counts as none.
    var environmentName: String {
      "BULKMIGRATE_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// The value that a shell completes; `nil` where there is none.
    var value: CompletedValue? {
      placeholder.map { words.isEmpty ? CompletedValue(placeholder: $0) : .words(words) }
    }
  }

  /// A word that belongs to no option, such as `STORE` in `inspect STORE`.
  struct Operand: Sendable {
    let name: String
    let help: String
    let isOptional: Bool
    /// Whether it stands for all words that are left.
    var takesRest = false
    /// The words among which it is one; empty if it is free.
    var words: [String] = []

    var value: CompletedValue { words.isEmpty ? CompletedValue(placeholder: name) : .words(words) }
  }

  /// Options that another command has as well, and explains.
  struct SharedNames: Encodable, Sendable {
    let command: String
    let options: [String]

    var sentence: String {
      "Options of \(command), which bulkmigrate \(command) --help explains: "
        + options.joined(separator: ", ") + "."
    }
  }

  /// The name, that of a group before it.
  let name: String
  let summary: String
  let explanation: String
  var examples: Examples = [:]
  /// All options, also those that are shared.
  var options: [Option] = []
  var shared: [SharedNames] = []
  /// The documents that it prints with `--json`.
  var results: [ResultFormat] = []
  let operands: [Operand]

  /// The form of its command line.
  var usage: String {
    let names = operands.map {
      ($0.isOptional ? "[\($0.name)]" : $0.name) + ($0.takesRest ? " …" : "")
    }
    return (["bulkmigrate", name, "[options]"] + names).joined(separator: " ")
  }

  /// The command of the group to which it belongs, and its own word; `nil` of the group for others.
  var parts: (group: String?, word: String) {
    let words = name.split(separator: " ").map(String.init)
    return words.count > 1 ? (words[0], words[1]) : (nil, name)
  }
}

extension [CommandDescription] {
  /// Those that are typed as the first word.
  var outer: [CommandDescription] { filter { $0.parts.group == nil } }
}

/// The kind of value that a shell completes.
enum CompletedValue: Equatable, Sendable {
  /// Names that `bulkmigrate completion` finds in a model.
  enum Names: Sendable {
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
  /// Any value, without suggestions.
  case anything

  /// The kind of value that a placeholder stands for.
  init(placeholder: String) {
    switch placeholder {
    case "FILE", "PLAN", "STORE", "MODEL", "OUT", "OTHER", "MIGRATION", "MAPPING": self = .files
    case "DIR": self = .folders
    case "ENTITY", "ENTITY=N,…": self = .names(.entities)
    case "ENTITY.ATTRIBUTE=SIZE-SIZE,…", "ENTITY.ATTRIBUTE=RATE,…": self = .names(.attributes)
    case "ENTITY.RELATIONSHIP=MEAN,…": self = .names(.relationships)
    default: self = .anything
    }
  }
}

/// Command lines that can be typed literally, each with its purpose.
typealias Examples = KeyValuePairs<String, String>
