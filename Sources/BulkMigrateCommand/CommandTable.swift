import BulkCoding

/// The program's commands, and its output without a command.
struct CommandTable: Sendable {
  /// The purpose of the program, in one paragraph.
  let introduction: String
  let examples: Examples
  /// The commands, in the order of use.
  let commands: [Command]
  /// The output of `--version`.
  let version: String

  /// Executes a command line, and reports errors.
  func run(_ words: [String], _ context: CommandContext) -> ExitCode {
    guard let first = words.first else { return answer(help, context) }
    let rest = Array(words.dropFirst())
    switch first {
    case "help", "--help", "-h":
      return showHelp(rest, context)
    case "--version":
      return answer(version, context)
    default:
      var context = context
      if let command = commands.first(where: { $0.name == first }) {
        context.commands = { allDescriptions }
        return command.run(rest, context)
      }
      if context.wantsJSON(words) { context.output = context.output.asJSON }
      return complain(about: first, context)
    }
  }

  private func showHelp(_ words: [String], _ context: CommandContext) -> ExitCode {
    guard let first = words.first else { return answer(help, context) }
    if first == "--json" { return showTables(context) }
    if first == "help" { return answer(help, context) }
    if let topic = HelpTopic(rawValue: first) { return answer(topic.text, context) }
    guard let command = command(words) else { return complain(about: first, context) }
    return answer(command.help(), context)
  }

  /// The command of some words; `nil` if the first names none.
  private func command(_ words: [String]) -> Command? {
    guard let command = commands.first(where: { $0.name == words.first }) else { return nil }
    let name = words.prefix(2).joined(separator: " ")
    return command.commands.first { $0.name == name } ?? command
  }

  /// Prints all that help knows as JSON, of which tools/manual makes pages.
  private func showTables(_ context: CommandContext) -> ExitCode {
    let topics = HelpTopic.allCases.map {
      HelpTables.Topic(name: $0.rawValue, summary: $0.summary, text: $0.text)
    }
    let tables = HelpTables(
      introduction: introduction,
      examples: examples.map { [$0, $1] },
      commands: allDescriptions.map(HelpTables.CommandEntry.init),
      common: OutputOptions.common.map(HelpTables.Option.init),
      topics: topics,
      exitCodes: ExitCode.allCases.map { .init(code: $0.rawValue, explanation: $0.explanation) }
    )
    do {
      return answer(try StableJSON.document(tables), context)
    } catch {
      return context.output.report(error)
    }
  }

  /// All commands, those of a group behind it.
  var allDescriptions: [CommandDescription] {
    commands.flatMap { [$0] + $0.commands }.filter { !$0.summary.isEmpty }.map {
      $0.description()
    }
  }

  private func answer(_ text: String, _ context: CommandContext) -> ExitCode {
    do {
      try context.output.result(text)
      return .done
    } catch {
      return context.output.report(error)
    }
  }

  private func complain(about word: String, _ context: CommandContext) -> ExitCode {
    let isOption = word.hasPrefix("-")
    let names = isOption ? ["--help", "--version"] : commands.map(\.name) + ["help"]
    let error = UsageError.unknown(
      isOption ? "option" : "command",
      word,
      suggestion: NearestName.of(word, among: names)
    )
    let code = context.output.report(error)
    if !context.output.isJSON { context.output.note("see: \(context.program) help") }
    return code
  }

  /// The program's help: its purpose, examples, and the commands in the order of use.
  private var help: String {
    var help = HelpText()
    help.addParagraph("usage: bulkmigrate COMMAND [options]")
    help.addParagraph(introduction)
    help.addExamples(examples)
    help.addList(
      "Commands, in the order of their use",
      commands.filter { !$0.summary.isEmpty }.map { ($0.name, $0.summary) } + [
        ("help COMMAND", "Show a command's options.")
      ] + HelpTopic.allCases.map { ("help \($0.rawValue)", $0.summary) }
    )
    let common = OutputOptions.common + [.help]
    help.addList(
      "Options of every command",
      common.map { (OptionTable<NoArguments>.forms(of: $0), $0.explanation) }
    )
    help.addParagraph(
      "--version shows the program's version. -h of a command is short, --help has everything. Variables such as "
        + "BULKMIGRATE_MAX_MEMORY set options, too; see: bulkmigrate help environment"
    )
    return help.text
  }
}
