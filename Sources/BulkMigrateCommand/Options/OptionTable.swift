/// The options and operands of a command, from which both its parser and its help are made.
///
/// ```swift
/// static let table = OptionTable(
///   command: "run",
///   summary: "Execute a plan.",
///   explanation: "Reads the plan in the current folder and …",
///   examples: [Example("bulkmigrate run --max-memory 256M", "Execute the plan found here.")],
///   results: [.attempt],
///   defaults: RunArguments(),
///   options: [
///     .value("max-memory", short: "m", "SIZE", "Memory the migration may use.") {
///       $0.maxMemory = try ByteCount(parsing: $1)
///     }.usually("256M"),
///     .flag("overwrite", "Replace the destination.") { $0.overwrites = true },
///   ]
/// )
/// ```
///
/// Every table also understands `--help` and the rows of ``OutputOptions``; `--json` where there are results.
struct OptionTable<Arguments: CommandArguments>: Sendable {
  /// The request of a command line.
  enum Request {
    /// The command, with these arguments, which were given as the settings say.
    case run(Arguments, [OptionSetting])
    /// All options with their values, and where these come from.
    case settings(OutputOptions, [OptionSetting])
    /// The command's help.
    case help
  }

  /// The command's name.
  let command: String
  /// One line, for the list of commands.
  let summary: String
  /// One paragraph, for the command's own help.
  let explanation: String
  let examples: [Example]
  /// What the command prints with `--json`; empty where it prints no documents, and takes no `--json`.
  let results: [ResultFormat]
  /// The arguments before anything was typed.
  let defaults: Arguments
  let options: [OptionRow<Arguments>]
  let operands: [OperandRow<Arguments>]

  init(
    command: String,
    summary: String,
    explanation: String,
    examples: [Example],
    results: [ResultFormat],
    defaults: Arguments,
    options: [OptionRow<Arguments>] = [],
    operands: [OperandRow<Arguments>] = []
  ) {
    self.command = command
    self.summary = summary
    self.explanation = explanation
    self.examples = examples
    self.results = results
    self.defaults = defaults
    self.options = options + OutputOptions.rows(results)
    self.operands = operands
  }
}

/// A word of a command line that belongs to no option, such as `STORE` in `inspect STORE`.
struct OperandRow<Arguments>: Sendable {
  /// Sets the word in the arguments; errors are reported with the operand's name.
  typealias Setter = @Sendable (inout Arguments, String) throws -> Void

  let name: String
  let help: String
  let isOptional: Bool
  /// Whether it stands for all words that are left.
  var takesRest = false
  /// The words of which the operand is one; empty where it is anything.
  var words: [String] = []
  let set: Setter

  /// A required operand.
  static func required(_ name: String, _ help: String, set: @escaping Setter) -> OperandRow {
    OperandRow(name: name, help: help, isOptional: false, set: set)
  }

  /// An optional operand; it comes after the required ones.
  static func optional(_ name: String, _ help: String, set: @escaping Setter) -> OperandRow {
    OperandRow(name: name, help: help, isOptional: true, set: set)
  }

  /// An operand of any number of words, the last one; its setter is called for each.
  static func rest(_ name: String, _ help: String, add: @escaping Setter) -> OperandRow {
    var row = OperandRow(name: name, help: help, isOptional: true, set: add)
    row.takesRest = true
    return row
  }

  /// The same operand, one of some words, which a shell can complete.
  func among(_ words: [String]) -> OperandRow {
    var row = self
    row.words = words
    return row
  }
}

extension OptionTable {
  /// The command as values, from which its manual page and completions are made.
  var description: CommandDescription {
    CommandDescription(
      name: command,
      summary: summary,
      explanation: explanation,
      examples: examples,
      options: options.map { row in
        CommandDescription.Option(
          name: row.name,
          short: row.short,
          placeholder: row.placeholder,
          help: row.explanation,
          isRepeatable: row.isRepeatable,
          words: row.words,
          refusedInFile: row.refusedInFile
        )
      } + [.help],
      results: results,
      operands: operands.map { row in
        CommandDescription.Operand(
          name: row.name,
          help: row.help,
          isOptional: row.isOptional,
          words: row.words
        )
      }
    )
  }

  /// The command's help: usage, description, examples, then every operand and option.
  var help: String {
    var help = HelpText()
    help.addParagraph("usage: \(usage)")
    help.addParagraph(explanation)
    help.addExamples(examples)
    help.addList("Operands", operands.map { ($0.name, $0.help) })
    let rows = options.map { ($0.forms, $0.explanation) }
    help.addList("Options", rows + [("-h, --help", "Show this help.")])
    if let sentence = results.sentence { help.addParagraph(sentence) }
    help.addParagraph(
      "Variables such as BULKMIGRATE_MAX_MEMORY and the file \(Configuration.usualPath) set options too; see: "
        + "bulkmigrate help config"
    )
    return help.text
  }

  private var usage: String {
    let names = operands.map { row in
      (row.isOptional ? "[\(row.name)]" : row.name) + (row.takesRest ? " …" : "")
    }
    return (["bulkmigrate", command, "[options]"] + names).joined(separator: " ")
  }
}

extension OptionRow {
  /// The syntax of the option, as `-m, --max-memory SIZE`.
  fileprivate var forms: String {
    let names = (short.map { "-\($0), " } ?? "    ") + longForm
    return names + (placeholder.map { " \($0)" } ?? "") + (isRepeatable ? " …" : "")
  }
}
