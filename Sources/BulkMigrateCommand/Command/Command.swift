import BulkSupport
import BulkExecute

/// A command of the program, or the name of a group of them.
struct Command: Sendable {
  /// The name, behind that of the group.
  let name: String
  /// Its operands, options and texts, which are made when they are needed; empty for a group.
  let table: @Sendable () -> OptionTable?
  let run: (@Sendable ([String], CommandContext) -> ExitCode)?

  /// A group of the commands whose names begin with its name.
  init(group name: String) { (self.name, table, run) = (name, { nil }, nil) }

  /// A command with the operands and options that the manual names, whose output follows its options.
  ///
  /// An error of the work is reported; its exit code is that of ``ErrorWithExitCode``.
  init(
    _ name: String,
    of manual: Manual = .program,
    _ results: [ResultFormat],
    _ body: @escaping @Sendable (Arguments) -> (CommandContext) throws -> ExitCode,
    defaults change: @escaping @Sendable (inout Arguments) -> Void = { _ in }
  ) {
    @Sendable func table() -> OptionTable {
      var defaults = Arguments()
      change(&defaults)
      return OptionTable(name, of: manual, results: results, defaults: defaults)
    }
    self.name = name
    self.table = table
    run = { words, context in
      var context = context
      let table = table()
      do {
        switch try table.parse(words, environment: context.environment) {
        case .run(let arguments, let settings):
          try context.refuseUnknownVariables()
          context.output = context.output.applying(arguments.output)
          context.policies = context.policies.adding(
            arguments.policies.mapValues {
              PolicyProgram(words: $0, patience: arguments.policyTimeout)
            }
          )
          context.output.traceStatementsIfRequested()
          for setting in settings { context.output.decision(setting) }
          return try body(arguments)(context)
        case .help(let isShort):
          try context.output.result(isShort ? table.shortHelp : table.help)
          return .done
        }
      } catch {
        return context.report(error, of: name, words)
      }
    }
  }
}

struct CommandContext: Sendable {
  let environment: [String: String]
  var policies: PolicyRegistry
  var output: Output
  var program = "bulkmigrate"
  var commands: @Sendable () -> [OptionTable] = { [] }

  private static let internalVariables: Set = [
    "BULKMIGRATE_BATCH_ROWS", "BULKMIGRATE_CONTROL_GROUP", "BULKMIGRATE_CORPUS",
    "BULKMIGRATE_FAILPOINT", "BULKMIGRATE_STANDSTILL", "BULKMIGRATE_TRACE",
  ]

  /// Refuses a variable `BULKMIGRATE_…` that sets no option of any command, which is misspelled or left of an older version.
  fileprivate func refuseUnknownVariables() throws(UsageError) {
    let variables = environment.filter {
      $0.key.hasPrefix("BULKMIGRATE_") && !$0.value.isEmpty
        && !Self.internalVariables.contains($0.key)
    }
    guard !variables.isEmpty else { return }
    let options = commands().flatMap(\.options)
    let known = Set(
      (options.filter { !$0.isOnlyTyped } + OptionRow.variables).map(
        \.environmentName
      )
    )
    guard let unknown = variables.keys.filter({ !known.contains($0) }).min() else { return }
    if let typed = options.first(where: { $0.environmentName == unknown }) {
      throw UsageError("\(typed.longForm) must be typed; \(unknown) cannot set it")
    }
    let name = "--" + unknown.dropFirst("BULKMIGRATE_".count).lowercased().replacing("_", with: "-")
    let nearest = NearestName.of(name, among: options.map(\.longForm))
    throw .unknown(
      "variable",
      unknown,
      former: [name],
      suggestion: options.first { $0.longForm == nearest }?.environmentName
    )
  }

  /// Reports an error of a command, and after an error in its words where its help is.
  func report(_ error: any Error, of command: String?, _ words: [String]) -> ExitCode {
    let isJSON = words.contains("--json") || environment["BULKMIGRATE_JSON"] == "1"
    let output = isJSON ? output.asJSON : output
    let code = output.report(error)
    if code == .usage, !output.isJSON {
      output.note(
        (["see:", program, "help"] + (command.map { [$0] } ?? [])).joined(separator: " ")
      )
    }
    return code
  }

  var commandLine = ""

  var knowsPolicy: @Sendable (String) -> Bool { { policies.policy(named: $0) != nil } }
  var knowsTransformer: @Sendable (String) -> Bool { { policies.hasTransformer(named: $0) } }
}

struct CommandTable: Sendable {
  let text: Manual.Section
  let commands: [Command]
  let version: String

  func run(_ words: [String], _ context: CommandContext) -> ExitCode {
    var context = context
    context.commands = { descriptions }
    let command = command(words)
    if let command, let run = command.run {
      return run(Array(words.dropFirst(command.name.contains(" ") ? 2 : 1)), context)
    }
    do {
      try context.output.result(try text(words, of: command))
      return .done
    } catch {
      return context.report(error, of: command?.name, words)
    }
  }

  private func command(_ words: [String]) -> Command? {
    let name = words.prefix(2).joined(separator: " ")
    return commands.first { $0.name == name } ?? commands.first { $0.name == words.first }
  }

  /// The text that words ask for which begin with no command that does something itself.
  private func text(_ words: [String], of group: Command?) throws -> String {
    guard let first = words.first else { return help }
    guard let group else {
      if first == "--version" { return version }
      guard isHelp(first) else { throw unknown(first, among: topLevel.map(\.name) + ["help"]) }
      return try explanation(Array(words.dropFirst()))
    }
    guard words.count > 1 else { throw UsageError.missingOperand("COMMAND") }
    guard isHelp(words[1]) else {
      throw unknown(words[1], in: first + " ", among: description(of: group).members.map(\.word))
    }
    // `fleet help run` is `help fleet run`.
    return try explanation([first] + words.dropFirst(2))
  }

  private func isHelp(_ word: String) -> Bool { ["help", "--help", "-h"].contains(word) }

  private func explanation(_ words: [String]) throws -> String {
    guard let first = words.first, !isHelp(first) else { return help }
    if first == "--json" { return try StableJSON.document(document) }
    if let topic = HelpTopic(rawValue: first) { return topic.text }
    guard let command = command(words) else {
      throw unknown(first, among: topLevel.map(\.name) + ["help"])
    }
    return description(of: command).help
  }

  private func unknown(
    _ word: String,
    in group: String = "",
    among names: [String]
  ) -> UsageError {
    let isOption = group.isEmpty && word.hasPrefix("-")
    return .unknown(
      isOption ? "option" : "command",
      group + word,
      suggestion: NearestName.of(word, among: isOption ? ["--help", "--version"] : names)
        .map { group + $0 }
    )
  }

  /// All that help knows, the output of `help --json`, of which tools/manual makes the manual.
  private var document: Members {
    Members([
      "version": ToolVersion.text, "day": ToolVersion.day, "introduction": text.explanation,
      "examples": text.examples.map { [$0.words, $0.purpose] }, "commands": descriptions,
      "common": common,
      "topics": HelpTopic.allCases.map {
        ["name": $0.rawValue, "summary": $0.summary, "text": $0.text]
      },
      "exitCodes": Manual.program[HelpTopic.exitCodes.rawValue].entries.map {
        Members(["code": Int($0.name), "explanation": $0.help])
      },
    ])
  }

  private var topLevel: [Command] { commands.filter { !$0.name.contains(" ") } }

  var descriptions: [OptionTable] { commands.map(description).filter(\.isShown) }

  func description(of command: Command) -> OptionTable {
    if let table = command.table() { return table }
    let members = commands.filter { $0.name.hasPrefix("\(command.name) ") }
      .compactMap { $0.table() }.filter(\.isShown)
    return OptionTable(group: command.name, members)
  }

  /// The options of every command; `--json` of those that print documents.
  var common: [OptionRow] {
    OptionRow.common([.record]).map {
      $0.explained(by: .program, in: Manual.name, Arguments())
    }
  }

  private var help: String {
    var help = HelpText()
    help.addParagraph("usage: bulkmigrate COMMAND [options]")
    help.addParagraph(text.explanation)
    help.addExamples(text.examples)
    help.addList(
      "Commands, in the order of their use",
      topLevel.map { ($0.name, description(of: $0).text.summary) } + [
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
