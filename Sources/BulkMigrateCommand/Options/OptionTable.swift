/// The options and operands of a command, from which both its parser and its help are made.
///
/// ```swift
/// static let table = OptionTable(
///   command: "run",
///   summary: "Execute a plan.",
///   explanation: "Reads the plan in the current folder and …",
///   examples: ["bulkmigrate run --max-memory 256M": "Execute the plan found here."],
///   results: [.record],
///   defaults: MigrationCommand(),
///   options: [
///     .value("max-memory", short: "m", "SIZE", \.maxMemory).help("Memory the migration may use."),
///     .flag("overwrite", \.overwrites).help("Replace the destination."),
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
  var shared: [SharedOptions<Arguments>] = []
  var operands: [OperandRow<Arguments>] = []

  var allOptions: [OptionRow<Arguments>] {
    options + shared.flatMap(\.rows) + OutputOptions.rows(results)
  }
}

/// Options that a command takes as another one does, whose help explains them.
struct SharedOptions<Arguments>: Sendable {
  let command: String
  let rows: [OptionRow<Arguments>]

  init(of command: String, _ rows: [OptionRow<Arguments>]) {
    (self.command, self.rows) = (command, rows)
  }

  var names: CommandDescription.SharedNames {
    CommandDescription.SharedNames(command: command, options: rows.map(\.option.longForm))
  }
}

/// An operand of a command, and its effect on the command's arguments.
struct OperandRow<Arguments>: Sendable {
  /// Sets the word in the arguments; errors are reported with the operand's name.
  typealias Setter = @Sendable (inout Arguments, String) throws -> Void

  private(set) var operand: CommandDescription.Operand
  let set: Setter

  static func required<Value: OptionValue>(
    _ name: String,
    _ help: String,
    _ path: ArgumentPath<Arguments, Value>
  ) -> OperandRow {
    required(name, help) { $0[keyPath: path] = try Value(parsing: $1) }.among(Value.words)
  }

  static func optional<Value: OptionValue>(
    _ name: String,
    _ help: String,
    _ path: ArgumentPath<Arguments, Value>
  ) -> OperandRow {
    optional(name, help) { $0[keyPath: path] = try Value(parsing: $1) }.among(Value.words)
  }

  static func rest(
    _ name: String,
    _ help: String,
    _ path: ArgumentPath<Arguments, [String]>
  ) -> OperandRow {
    rest(name, help) { $0[keyPath: path].append($1) }
  }

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
      options: allOptions.map { $0.option(in: defaults) } + [.help],
      shared: shared.map(\.names),
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
    let all = (options + shared.flatMap(\.rows)).map(\.option)
    let shown = all.filter { OptionGroup.isOfEveryDay($0.name) }.prefix(8)
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
      let shown = options.map { $0.option(in: defaults) }.filter { $0.group == group }
      help.addList(group.rawValue, shown.map { (Self.forms(of: $0), $0.explanation) })
    }
    for names in shared.map(\.names) { help.addParagraph(names.sentence) }
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
