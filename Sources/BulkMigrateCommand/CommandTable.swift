import BulkCoding

struct CommandTable: Sendable {
  let text: Manual.Section
  let commands: [Command]
  let version: String

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
        context.commands = { descriptions }
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
    return answer(command.description.help, context)
  }

  private func command(_ words: [String]) -> Command? {
    guard let command = commands.first(where: { $0.name == words.first }) else { return nil }
    let name = words.prefix(2).joined(separator: " ")
    return command.commands.first { $0.name == name } ?? command
  }

  /// Prints all that help knows as JSON, of which tools/manual makes pages.
  private func showTables(_ context: CommandContext) -> ExitCode {
    let tables = HelpTables(
      introduction: text.explanation,
      examples: text.examples.map { [$0.words, $0.purpose] },
      commands: descriptions,
      common: common
    )
    do {
      return answer(try StableJSON.document(tables), context)
    } catch {
      return context.output.report(error)
    }
  }

  var descriptions: [CommandDescription] {
    commands.flatMap { [$0] + $0.commands }.map(\.description).filter(\.isShown)
  }

  /// The options of every command; `--json` of those that print documents.
  var common: [CommandDescription.Option] {
    OutputOptions.rows([.record]).map {
      $0.explained(by: .program, in: Manual.name, StatusCommand()).option
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

  private var help: String {
    var help = HelpText()
    help.addParagraph("usage: bulkmigrate COMMAND [options]")
    help.addParagraph(text.explanation)
    help.addExamples(text.examples)
    help.addList(
      "Commands, in the order of their use",
      commands.map { ($0.name, $0.description.text.summary) } + [
        ("help COMMAND", "Show a command's options.")
      ] + HelpTopic.allCases.map { ("help \($0.rawValue)", $0.summary) }
    )
    help.addList(
      "Options of every command",
      (common + [.help(in: .program)]).map { ($0.syntax, $0.explanation) }
    )
    help.addParagraph(
      "--version shows the program's version. -h of a command is short, --help has everything. Variables such as "
        + "BULKMIGRATE_MAX_MEMORY set options, too; see: bulkmigrate help environment"
    )
    return help.text
  }
}
