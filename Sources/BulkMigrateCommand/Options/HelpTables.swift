import BulkExecute

/// All that help knows, the output of `help --json`, of which tools/manual makes the manual.
struct HelpTables: Encodable {
  struct Option: Encodable {
    let forms: [String]
    let placeholder: String?
    let explanation: String
    let isRepeatable: Bool
    let group: String
    /// The variable of the environment that sets it; `nil` if none may.
    let variable: String?

    init(_ option: CommandDescription.Option) {
      (forms, placeholder) = (option.forms, option.placeholder)
      (explanation, isRepeatable) = (option.explanation, option.isRepeatable)
      group = option.group.rawValue
      variable = option.isOnlyTyped ? nil : option.environmentName
    }
  }

  struct Operand: Encodable {
    let name: String
    let help: String
    let isOptional: Bool
  }

  struct CommandEntry: Encodable {
    let name: String
    let summary: String
    let usage: String
    let explanation: String
    /// Command lines, each with its purpose.
    let examples: [[String]]
    let operands: [Operand]
    /// The options of this command alone.
    let options: [Option]
    let shared: [CommandDescription.SharedNames]
    let results: [String]

    init(_ command: CommandDescription) {
      (name, summary, explanation) = (command.name, command.summary, command.explanation)
      usage = command.usage
      examples = command.examples.map { [$0, $1] }
      operands = command.operands.map {
        Operand(name: $0.name, help: $0.help, isOptional: $0.isOptional)
      }
      shared = command.shared
      let others = Set(OutputOptions.common.map(\.longForm) + ["--help"])
        .union(shared.flatMap(\.options))
      options = command.options.filter { !others.contains($0.longForm) }.map(Option.init)
      results = command.results.map(\.rawValue)
    }
  }

  struct Topic: Encodable {
    let name: String
    let summary: String
    let text: String
  }

  struct Code: Encodable {
    let code: Int32
    let explanation: String
  }

  let version = ToolVersion.text
  /// The day of the build's commit.
  let day = ToolVersion.day
  let introduction: String
  let examples: [[String]]
  let commands: [CommandEntry]
  /// The options of every command.
  let common: [Option]
  let topics: [Topic]
  let exitCodes: [Code]
}
