import BulkCoding

/// The program's commands, and its output without a command.
struct CommandTable: Sendable {
  /// The purpose of the program, in one paragraph.
  let introduction: String
  let examples: [Example]
  /// The commands, in the order of use.
  let commands: [Command]
  /// The output of `--version`.
  let version: String

  /// Executes a command line, and reports errors.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name.
  ///   - context: The environment, and the output before any option was read.
  /// - Returns: The program's exit code.
  func run(_ words: [String], _ context: CommandContext) -> ExitCode {
    guard let first = words.first else { return answer(help, context) }
    let rest = Array(words.dropFirst())
    switch first {
    case "help", "--help", "-h":
      return showHelp(rest, context)
    case "--version":
      return answer(version, context)
    default:
      if let command = commands.first(where: { $0.name == first }) {
        var context = context
        context.commands = { [commands] in commands.map { $0.description() } }
        return command.run(rest, context)
      }
      return complain(about: first, context)
    }
  }

  private func showHelp(_ words: [String], _ context: CommandContext) -> ExitCode {
    guard let topic = words.first else { return answer(help, context) }
    if words.contains("--man") { return showPage(of: words.filter { $0 != "--man" }, context) }
    if topic == "help" { return answer(helpOfHelp, context) }
    if let topic = HelpTopic(rawValue: topic) { return answer(topic.text, context) }
    guard let command = commands.first(where: { $0.name == topic }) else {
      return complain(about: topic, context)
    }
    let inner = words.dropFirst().first.flatMap { word in
      command.commands.first { $0.name == "\(topic) \(word)" }
    }
    return answer((inner ?? command).help(), context)
  }

  /// Prints a manual page, in the language of man(7).
  private func showPage(of words: [String], _ context: CommandContext) -> ExitCode {
    guard let name = words.first else {
      let descriptions = commands.map { $0.description() }
      return write(
        ManualPage.of(descriptions, introduction: introduction, examples),
        context
      )
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      return complain(about: name, context)
    }
    return write(ManualPage.of(command.description()), context)
  }

  /// Writes a text that ends with a line break.
  private func write(_ text: String, _ context: CommandContext) -> ExitCode {
    answer(String(text.dropLast()), context)
  }

  private var helpOfHelp: String {
    var help = HelpText()
    help.addParagraph(
      "usage: bulkmigrate help [COMMAND|TOPIC]\n       bulkmigrate help --man [COMMAND]"
    )
    help.addParagraph(
      "Explains a command or a topic, or all commands in a few words. With --man it prints the manual page "
        + "instead, for man(1)."
    )
    help.addExamples([
      Example("bulkmigrate help run", "See every option of run."),
      Example("bulkmigrate help --man run | man -l -", "Read the manual page of run."),
    ])
    help.addList("Commands", commands.map { ($0.name, $0.summary) })
    help.addList("Topics", HelpTopic.allCases.map { ($0.rawValue, $0.summary) })
    return help.text
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
    let error: UsageError
    if word.hasPrefix("-") {
      error = .unknownOption(
        word,
        suggestion: NearestName.of(word, among: ["--help", "--version"])
      )
    } else {
      let names = commands.map(\.name) + ["help"]
      error = .unknownCommand(word, suggestion: NearestName.of(word, among: names))
    }
    let code = context.output.report(error)
    context.output.note("see: \(context.program) help")
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
      commands.map { ($0.name, $0.summary) } + [
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
