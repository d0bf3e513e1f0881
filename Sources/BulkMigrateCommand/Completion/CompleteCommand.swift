internal import BulkVersions
import BulkModel
import BulkPlan

/// `bulkmigrate complete`: prints the words that can stand in the place of the last one; the completions of shells ask it.
///
/// Where a file or a folder belongs, the only line is `:files` or `:folders`.
struct CompleteCommand: ParsableCommand {
  var output = OutputOptions()
  /// The words of the command line behind the program's name; the last one is completed.
  var words: [String] = []

  static let table = OptionTable(
    command: "complete",
    summary: "",
    explanation: "Prints what can stand in the place of the last word of a command line.",
    examples: ["bulkmigrate complete -- run --max": "List the options of run that begin so."],
    results: [],
    defaults: CompleteCommand(),
    operands: [.rest("WORDS", "The words so far.", \.words)]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    let found = try candidates(context.commands()).filter { !$0.contains("\n") }
    if !found.isEmpty { try context.output.result(found) }
    return .done
  }

  private func candidates(_ commands: [CommandDescription]) throws -> [String] {
    let last = words.last ?? ""
    // bash divides at =.
    let typed = words.dropLast().filter { $0 != "=" }
    let part = last == "=" ? "" : last
    let name = typed.prefix { !$0.hasPrefix("-") }.prefix(2).joined(separator: " ")
    let command =
      commands.first { $0.name == name } ?? commands.first { $0.name == typed.first }
    guard let command else {
      let others = typed.first == "help" ? HelpTopic.allCases.map(\.rawValue) : ["help"]
      return (commands.outer.map(\.name) + others).filter { $0.hasPrefix(part) }
    }
    if let option = command.options.first(where: { $0.forms.contains(typed.last ?? "") }),
      let value = option.value
    {
      return try values(value, part)
    }
    if part.hasPrefix("-") {
      return command.options.flatMap(\.forms).filter { $0.hasPrefix(part) }
    }
    return try command.operands.first.map { try values($0.value, part) } ?? []
  }

  private func values(_ value: CompletedValue, _ part: String) throws -> [String] {
    switch value {
    case .files: [":files"]
    case .folders: [":folders"]
    case .words(let words): words.filter { $0.hasPrefix(part) }
    case .names(let names): try found(names).filter { $0.hasPrefix(part) }
    case .anything: []
    }
  }

  private func found(_ names: CompletedValue.Names) throws -> [String] {
    let entities = try model().entities
    return switch names {
    case .entities: entities.map(\.name)
    case .attributes:
      entities.flatMap { entity in entity.attributes.map { "\(entity.name).\($0.name)" } }
    case .relationships:
      entities.flatMap { entity in entity.relationships.map { "\(entity.name).\($0.name)" } }
    }
  }

  /// The model that the words name, or that of the source of the plan that they name, or of the one in this folder.
  private func model() throws -> ManagedObjectModel {
    let finder = PlanFinder(planPath: value(of: "--plan"), stateDirectory: value(of: "--state-dir"))
    let path = try value(of: "--model") ?? finder.planBegun().source.model.path
    return try Planner.model(named: path)
  }

  /// The value of an option in the words, behind it or attached to it.
  private func value(of option: String) -> String? {
    let typed = words.filter { $0 != "=" }
    if let index = typed.firstIndex(of: option), index + 1 < typed.count { return typed[index + 1] }
    return typed.first { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
  }
}
