/// The options and operands of a command, from which both its parser and its help are made.
///
/// ```swift
/// static let table = OptionTable(
///   command: "run",
///   summary: "Execute a plan.",
///   explanation: "Reads the plan in the current folder and …",
///   examples: ["bulkmigrate run --max-memory 256M": "Execute the plan found here."],
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
  enum Request {
    /// The command with its arguments, and a line for each option that is set.
    case run(Arguments, [String])
    case help(isShort: Bool)
  }

  let command: String
  /// One line, for the list of commands.
  let summary: String
  /// One paragraph, for the command's own help.
  let explanation: String
  let examples: Examples
  /// The documents that the command prints with `--json`; without any it takes no `--json`.
  let results: [ResultFormat]
  /// The arguments before anything was typed.
  let defaults: Arguments
  /// The options of this command, without those of every command.
  var options: [OptionRow<Arguments>] = []
  var operands: [OperandRow<Arguments>] = []

  var allOptions: [OptionRow<Arguments>] { options + OutputOptions.rows(results) }
}

/// An operand of a command, and its effect on the command's arguments.
struct OperandRow<Arguments>: Sendable {
  /// Sets the word in the arguments; errors are reported with the operand's name.
  typealias Setter = @Sendable (inout Arguments, String) throws -> Void

  private(set) var operand: CommandDescription.Operand
  let set: Setter

  static func required(_ name: String, _ help: String, set: @escaping Setter) -> OperandRow {
    OperandRow(operand: .init(name: name, help: help, isOptional: false), set: set)
  }

  /// An optional operand; it comes after the required ones.
  static func optional(_ name: String, _ help: String, set: @escaping Setter) -> OperandRow {
    OperandRow(operand: .init(name: name, help: help, isOptional: true), set: set)
  }

  /// An operand of any number of words, the last one; its setter is called for each.
  static func rest(_ name: String, _ help: String, add: @escaping Setter) -> OperandRow {
    OperandRow(
      operand: .init(name: name, help: help, isOptional: true, takesRest: true),
      set: add
    )
  }

  /// The same operand, one of some words, which a shell can complete.
  func among(_ words: [String]) -> OperandRow {
    var row = self
    row.operand.words = words
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
      options: allOptions.map(\.option) + [.help],
      results: results,
      operands: operands.map(\.operand)
    )
  }

  /// The command's help on one screen: its purpose, an example, and the options of every day.
  var shortHelp: String {
    var help = HelpText()
    help.addParagraph("usage: \(description.usage)")
    help.addParagraph(summary)
    for (words, purpose) in examples.prefix(1) { help.addExamples([words: purpose]) }
    let shown = options.map(\.option).filter { OptionGroup.isOfEveryDay($0.name) }.prefix(8)
    help.addList("Options", shown.map { (Self.forms(of: $0), $0.help.firstSentence) })
    help.addParagraph("All options: bulkmigrate \(command) --help")
    return help.text
  }

  /// The command's whole help: usage, description, examples, then every operand and option, in groups.
  var help: String {
    var help = HelpText()
    help.addParagraph("usage: \(description.usage)")
    help.addParagraph(explanation)
    help.addExamples(examples)
    help.addList("Operands", operands.map { ($0.operand.name, $0.operand.help) })
    for group in OptionGroup.allCases {
      let shown = options.map(\.option).filter { $0.group == group }
      help.addList(group.rawValue, shown.map { (Self.forms(of: $0), $0.explanation) })
    }
    if let sentence = results.sentence { help.addParagraph(sentence) }
    help.addParagraph("Options of every command, and variables that set options: bulkmigrate help")
    return help.text
  }

  /// The syntax of an option, as `-m, --max-memory SIZE`.
  static func forms(of option: CommandDescription.Option) -> String {
    (option.short == nil ? "    " : "") + option.forms.joined(separator: ", ")
      + (option.placeholder.map { " \($0)" } ?? "") + (option.isRepeatable ? " …" : "")
  }
}
