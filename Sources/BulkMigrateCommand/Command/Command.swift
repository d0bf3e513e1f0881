/// A command of the program: its table of options and the code that does the work.
///
/// ```swift
/// enum RunCommand {
///   static let command = Command(table, run: run)
///   static let table = OptionTable(command: "run", …)
///   static func run(_ arguments: RunArguments, _ context: CommandContext) throws -> ExitCode { … }
/// }
/// ```
struct Command: Sendable {
  let name: String
  let summary: String
  /// Makes the text of the help; to lay it out takes longer than to start a command.
  let help: @Sendable () -> String
  /// Makes the values of which its manual page and its completions are made.
  let description: @Sendable () -> CommandDescription
  /// Parses the words after the command's name, executes the command, and reports errors.
  let run: @Sendable ([String], CommandContext) -> ExitCode

  /// A command whose work gets its arguments as a value, and an output that follows the options.
  ///
  /// An error of the work is reported; its exit code is that of ``ErrorWithExitCode``.
  init<Arguments>(
    _ table: OptionTable<Arguments>,
    run body: @escaping @Sendable (Arguments, CommandContext) throws -> ExitCode
  ) {
    name = table.command
    summary = table.summary
    help = { table.help }
    description = { table.description }
    run = { words, context in
      var context = context
      do {
        switch try table.parse(words, environment: context.environment) {
        case .run(let arguments):
          context.output = context.output.applying(arguments.output)
          return try body(arguments, context)
        case .help:
          try context.output.result(table.help)
          return .done
        }
      } catch {
        if words.contains("--json") { context.output = context.output.asJSON }
        let code = context.output.report(error)
        if code == .usage, !context.output.isJSON {
          context.output.note("see: \(context.program) help \(table.command)")
        }
        return code
      }
    }
  }
}
