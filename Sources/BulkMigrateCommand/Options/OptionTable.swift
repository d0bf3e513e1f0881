/// The options and operands of a command, from which both its parser and its help are made.
///
/// ```swift
/// static let table = OptionTable(
///   command: "run",
///   summary: "Execute a plan.",
///   explanation: "Reads the plan in the current folder and …",
///   examples: [Example("bulkmigrate run --max-memory 256M", "Execute the plan found here.")],
///   defaults: RunArguments(),
///   options: [
///     .value("max-memory", short: "m", "SIZE", "Memory the migration may use.") {
///       $0.maxMemory = try ByteCount(parsing: $1)
///     }.orEnvironment,
///     .flag("overwrite", "Replace the destination.") { $0.overwrites = true },
///   ]
/// )
/// ```
///
/// Every table also understands `--help` and the rows of ``OutputOptions``.
struct OptionTable<Arguments: CommandArguments>: Sendable {
  /// What a command line asks for.
  enum Request {
    /// The command, with these arguments.
    case run(Arguments)
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
  /// The arguments before anything was typed.
  let defaults: Arguments
  let options: [OptionRow<Arguments>]
  let operands: [OperandRow<Arguments>]

  init(
    command: String,
    summary: String,
    explanation: String,
    examples: [Example],
    defaults: Arguments,
    options: [OptionRow<Arguments>] = [],
    operands: [OperandRow<Arguments>] = []
  ) {
    self.command = command
    self.summary = summary
    self.explanation = explanation
    self.examples = examples
    self.defaults = defaults
    self.options = options + OutputOptions.rows()
    self.operands = operands
  }
}
