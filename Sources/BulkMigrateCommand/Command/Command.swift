import BulkCoding

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
  /// The commands that it groups; empty for a command that does something itself.
  let commands: [Command]
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
    commands = []
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
        let code = context.output.report(error)
        if code == .usage { context.output.note("see: \(context.program) help \(table.command)") }
        return code
      }
    }
  }

  /// A command that groups others, whose names begin with its own.
  init(group name: String, summary: String, explanation: String, _ commands: [Command]) {
    self.name = name
    self.summary = summary
    self.commands = commands
    help = {
      var help = HelpText()
      help.addParagraph("usage: bulkmigrate \(name) COMMAND [options]")
      help.addParagraph(explanation)
      help.addList(
        "Commands, in the order of their use",
        commands.filter { !$0.summary.isEmpty }.map { ($0.name, $0.summary) }
      )
      return help.text
    }
    run = { [help] words, context in
      let rest = Array(words.dropFirst())
      let known = commands.first { command in
        words.first.map { command.name == "\(name) \($0)" } ?? false
      }
      if let known { return known.run(rest, context) }
      let names = commands.filter { !$0.summary.isEmpty }.map {
        String($0.name.dropFirst(name.count + 1))
      }
      do {
        guard let first = words.first else { throw UsageError.missingOperand("COMMAND") }
        guard ["help", "--help", "-h"].contains(first) else {
          throw UsageError.unknownCommand(
            "\(name) \(first)",
            suggestion: NearestName.of(first, among: names).map { "\(name) \($0)" }
          )
        }
        try context.output.result(help())
        return .done
      } catch {
        let code = context.output.report(error)
        if code == .usage { context.output.note("see: \(context.program) help \(name)") }
        return code
      }
    }
  }
}
