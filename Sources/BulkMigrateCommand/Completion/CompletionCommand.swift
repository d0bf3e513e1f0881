internal import BulkPlan
import BulkModel

extension Arguments {
  /// `bulkmigrate completion`: prints the script of a shell, which asks it again for the words that can stand in the place
  /// of the last one.
  ///
  /// Where a file or a folder belongs, the only line is `:files` or `:folders`.
  func complete(_ context: CommandContext) throws -> ExitCode {
    guard !words.isEmpty else {
      try context.output.result(shell.script)
      return .done
    }
    let found = try candidates(context.commands()).filter { !$0.contains("\n") }
    if !found.isEmpty { try context.output.result(found) }
    return .done
  }

  private func candidates(_ commands: [OptionTable]) throws -> [String] {
    let last = words.last ?? ""
    // bash divides at =.
    let typed = words.dropLast().filter { $0 != "=" }
    let part = last == "=" ? "" : last
    let name = typed.prefix { !$0.hasPrefix("-") }.prefix(2).joined(separator: " ")
    let command =
      commands.first { $0.name == name } ?? commands.first { $0.name == typed.first }
    guard let command else {
      let others = typed.first == "help" ? HelpTopic.allCases.map(\.rawValue) : ["help"]
      return (commands.filter { !$0.name.contains(" ") }.map(\.name) + others).filter {
        $0.hasPrefix(part)
      }
    }
    if let option = command.options.first(where: { $0.forms.contains(typed.last ?? "") }),
      let placeholder = option.placeholder
    {
      return try values(of: placeholder, option.words).filter { Self.completes(part, $0) }
    }
    if part.hasPrefix("-") {
      return command.options.flatMap(\.forms).filter { $0.hasPrefix(part) }
    }
    return try command.operands.first.map { try values(of: $0.name, $0.words) }?
      .filter { Self.completes(part, $0) } ?? []
  }

  private static func completes(_ part: String, _ word: String) -> Bool {
    word.hasPrefix(":") || word.hasPrefix(part)
  }

  /// What can stand in the place of a placeholder; nothing where any value can.
  private func values(of placeholder: String, _ words: [String]) throws -> [String] {
    guard words.isEmpty else { return words }
    switch placeholder {
    case "FILE", "PLAN", "STORE", "MODEL", "OUT", "OTHER", "MIGRATION", "MAPPING": return [":files"]
    case "DIR": return [":folders"]
    case "ENTITY", "ENTITY=N,…": return try model().entities.map(\.name)
    case "ENTITY.ATTRIBUTE=SIZE-SIZE,…", "ENTITY.ATTRIBUTE=RATE,…":
      return try model().entities.flatMap { entity in
        entity.attributes.map { "\(entity.name).\($0.name)" }
      }
    case "ENTITY.RELATIONSHIP=MEAN,…":
      return try model().entities.flatMap { entity in
        entity.relationships.map { "\(entity.name).\($0.name)" }
      }
    default: return []
    }
  }

  /// The model that the words name, or that of the source of the plan that they name, or of the one in this folder.
  private func model() throws -> ManagedObjectModel {
    var typed = self
    (typed.planPath, typed.stateDirectory) = (value(of: "--plan"), value(of: "--state-dir"))
    let path = try value(of: "--model") ?? typed.planBegun().source.model.path
    return try ModelLocator.model(named: path).model
  }

  private func value(of option: String) -> String? {
    let typed = words.filter { $0 != "=" }
    if let index = typed.firstIndex(of: option), index + 1 < typed.count { return typed[index + 1] }
    return typed.first { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
  }
}
