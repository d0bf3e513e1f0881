/// The options and operands of a command, from which its parser and, with the ``Manual``, its help are made.
///
/// ```swift
/// static let table = OptionTable(
///   "run",
///   results: [.record],
///   defaults: MigrationCommand(),
///   options: [.value("max-memory", \.maxMemory), .flag("restart", \.restarts)]
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

  let name: String
  let defaults: Arguments
  private(set) var options: [OptionRow<Arguments>]
  let operands: [OperandRow<Arguments>]
  private let manual: Manual
  private let results: [ResultFormat]

  /// Without documents that the command prints with `--json` it takes no `--json`.
  init(
    _ name: String,
    of manual: Manual = .program,
    results: [ResultFormat] = [],
    defaults: Arguments = Arguments(),
    options: [OptionRow<Arguments>] = [],
    operands: [OperandRow<Arguments>] = []
  ) {
    self.options = options + OutputOptions.rows(results)
    (self.name, self.defaults, self.operands) = (name, defaults, operands)
    (self.manual, self.results) = (manual, results)
  }

  /// The same table with the texts of its options, which are looked up for the one command that is typed.
  var explained: OptionTable {
    var table = self
    table.options = options.map { $0.explained(by: manual, in: name, defaults) }
    return table
  }

  var description: CommandDescription {
    CommandDescription(
      name: name,
      text: manual[name],
      operands: operands.map { $0.explained(by: manual, in: name) },
      options: explained.options.map(\.option) + [.help(in: manual)],
      results: results
    )
  }
}

/// An operand of a command, and its effect on the command's arguments; ``Manual`` explains it.
struct OperandRow<Arguments>: Sendable {
  typealias Setter = @Sendable (inout Arguments, String) throws -> Void

  fileprivate(set) var operand: CommandDescription.Operand
  let set: Setter

  static func required<Value: OptionValue>(
    _ name: String,
    _ path: ArgumentPath<Arguments, Value>
  ) -> OperandRow {
    var row = required(name) { $0[keyPath: path] = try Value(parsing: $1) }
    row.operand.words = Value.words
    return row
  }

  static func required(_ name: String, set: @escaping Setter) -> OperandRow {
    OperandRow(operand: .init(name: name), set: set)
  }

  static func optional<Value: OptionValue>(
    _ name: String,
    _ path: ArgumentPath<Arguments, Value>
  ) -> OperandRow {
    var row = required(name, path)
    row.operand.isOptional = true
    return row
  }

  static func rest(_ name: String, _ path: ArgumentPath<Arguments, [String]>) -> OperandRow {
    OperandRow(operand: .init(name: name, isOptional: true, takesRest: true)) {
      $0[keyPath: path].append($1)
    }
  }

  fileprivate func explained(
    by manual: Manual,
    in command: String
  ) -> CommandDescription.Operand {
    var operand = operand
    operand.help = manual.entry(operand.name, of: command)?.help ?? ""
    return operand
  }
}
