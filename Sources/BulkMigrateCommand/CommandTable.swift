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
    if words.contains("--man") { return showPage(of: words.filter { $0 != "--man" }, context) }
    if words.contains("--schema") {
      return showSchema(of: words.filter { $0 != "--schema" }, context)
    }
    if first == "help" {
      var help = HelpText()
      explainHelp(in: &help)
      return answer(help.text, context)
    }
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

  /// Prints a manual page, in the language of man(7).
  private func showPage(of words: [String], _ context: CommandContext) -> ExitCode {
    guard let name = words.first else {
      return write(ManualPage.of(allDescriptions, introduction: introduction, examples), context)
    }
    if name == "help" {
      let summary = "Explain a command or a topic."
      return write(ManualPage.of("help", section: 1, summary, explainHelp), context)
    }
    if let topic = HelpTopic(rawValue: name) {
      let page = ManualPage.of(name, section: topic.section, topic.summary) {
        topic.explain(in: &$0)
      }
      return write(page, context)
    }
    guard let command = command(words) else { return complain(about: name, context) }
    return write(ManualPage.of(command.description()), context)
  }

  /// Prints the JSON Schema of files of settings.
  private func showSchema(of words: [String], _ context: CommandContext) -> ExitCode {
    guard let topic = words.first, topic != HelpTopic.config.rawValue else {
      return write(ConfigurationSchema(commands: allDescriptions).text, context)
    }
    return complain(about: topic, context)
  }

  /// All commands, those of a group behind it.
  var allDescriptions: [CommandDescription] {
    commands.flatMap { [$0] + $0.commands }.filter { !$0.summary.isEmpty }.map {
      $0.description()
    }
  }

  /// Writes a text that ends with a line break.
  private func write(_ text: String, _ context: CommandContext) -> ExitCode {
    answer(String(text.dropLast()), context)
  }

  private func explainHelp(in page: inout some HelpLayout) {
    page.addParagraph(
      "Explains a command or a topic, or all commands in a few words. With --man it prints the manual page "
        + "instead, for man(1); with --schema the JSON Schema of files of settings."
    )
    page.addLines(
      "Usage",
      [
        "bulkmigrate help [COMMAND|TOPIC]", "bulkmigrate help --man [COMMAND|TOPIC]",
        "bulkmigrate help --schema config",
      ]
    )
    page.addExamples([
      "bulkmigrate help run": "See every option of run.",
      "bulkmigrate help --man run | man -l -": "Read the manual page of run.",
    ])
    page.addList("Commands", allDescriptions.map { ($0.name, $0.summary) })
    page.addList("Topics", HelpTopic.allCases.map { ($0.rawValue, $0.summary) })
  }

  private func answer(_ text: String, _ context: CommandContext) -> ExitCode {
    do {
      try context.output.result(text)
      return .done
    } catch {
      return context.output.report(error)
    }
  }

  /// The commands and options that similar programs name otherwise.
  private static let names = [
    "apply": "run", "start": "run", "version": "--version", "-V": "--version", "-v": "--version",
    "--dry-run": "preflight", "dry-run": "preflight", "diff": "plan --diff", "validate": "verify",
  ]

  private func complain(about word: String, _ context: CommandContext) -> ExitCode {
    let known = Self.names[word]
    let error: UsageError
    if word.hasPrefix("-") {
      let nearest = known ?? NearestName.of(word, among: ["--help", "--version"])
      error = .unknownOption(word, suggestion: nearest)
    } else {
      let names = commands.map(\.name) + ["help"]
      error = .unknownCommand(word, suggestion: known ?? NearestName.of(word, among: names))
    }
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
    help.addList(
      "Options",
      [("-h, --help", "Show this help."), ("    --version", "Show the program's version.")]
    )
    return help.text
  }
}
