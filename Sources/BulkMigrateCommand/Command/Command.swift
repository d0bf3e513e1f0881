import BulkCoding
import BulkExecute

/// A command of the program: its table of options and the code that does the work.
///
/// ```swift
/// struct VerifyCommand: ParsableCommand {
///   var output = OutputOptions()
///   static let table = OptionTable("verify", defaults: VerifyCommand(), …)
///   func run(_ context: CommandContext) throws -> ExitCode { … }
/// }
/// ```
struct Command: Sendable {
  let name: String
  private let describe: @Sendable () -> CommandDescription
  /// The commands that it groups; empty for a command that does something itself.
  var commands: [Command] = []
  let run: @Sendable ([String], CommandContext) -> ExitCode

  /// It is made when it is asked for, since every start of the program has all commands.
  var description: CommandDescription { describe() }

  /// A command whose work gets its arguments as a value, and an output that follows the options.
  ///
  /// An error of the work is reported; its exit code is that of ``ErrorWithExitCode``.
  init<Arguments>(
    _ table: OptionTable<Arguments>,
    run body: @escaping @Sendable (Arguments, CommandContext) throws -> ExitCode
  ) {
    (name, describe) = (table.name, { table.description })
    run = { words, context in
      var context = context
      do {
        switch try table.parse(words, environment: context.environment) {
        case .run(let arguments, let settings):
          try context.refuseUnknownVariables()
          context.output = context.output.applying(arguments.output)
          context.rare = try RareSettings(context.environment)
          if let naming = arguments as? any PolicyArguments {
            context.policies = naming.policies.registry(
              context.policies,
              timeout: context.rare.policyTimeout
            )
          }
          context.output.traceStatementsIfRequested()
          for setting in settings { context.output.decision(setting) }
          return try body(arguments, context)
        case .help(let isShort):
          let description = table.description
          try context.output.result(isShort ? description.shortHelp : description.help)
          return .done
        }
      } catch {
        return context.report(error, of: table.name, words)
      }
    }
  }

  init(group name: String, _ commands: [Command]) {
    self.commands = commands
    self.name = name
    let describe: @Sendable () -> CommandDescription = {
      let shown = commands.map(\.description).filter(\.isShown)
      let words = shown.map(\.word)
      let help = zip(words, shown).map { "\($0): \($1.text.summary)" }.joined(separator: " ")
      return CommandDescription(
        name: name,
        text: Manual.program[name],
        operands: [.init(name: "COMMAND", words: words, help: help)],
        members: shown
      )
    }
    self.describe = describe
    run = { typed, context in
      let rest = Array(typed.dropFirst())
      func command(_ word: String?) -> Command? {
        word.flatMap { word in commands.first { $0.name == "\(name) \(word)" } }
      }
      if let known = command(typed.first) { return known.run(rest, context) }
      let description = describe()
      do {
        guard let first = typed.first else { throw UsageError.missingOperand("COMMAND") }
        guard ["help", "--help", "-h"].contains(first) else {
          throw UsageError.unknown(
            "command",
            "\(name) \(first)",
            suggestion: NearestName.of(first, among: description.members.map(\.word)).map {
              "\(name) \($0)"
            }
          )
        }
        let named = description.members.first { $0.word == rest.first }
        try context.output.result((named ?? description).help)
        return .done
      } catch {
        return context.report(error, of: name, typed)
      }
    }
  }
}

protocol ParsableCommand: CommandArguments {
  static var table: OptionTable<Self> { get }
  func run(_ context: CommandContext) throws -> ExitCode
}

extension ParsableCommand {
  static var command: Command { Command(table) { try $0.run($1) } }
}

struct CommandContext: Sendable {
  let environment: [String: String]
  var policies: PolicyRegistry
  var rare = RareSettings.usual
  var output: Output
  var program = "bulkmigrate"
  var commands: @Sendable () -> [CommandDescription] = { [] }

  private static let internalVariables: Set = [
    "BULKMIGRATE_BATCH_ROWS", "BULKMIGRATE_CONTROL_GROUP", "BULKMIGRATE_CORPUS",
    "BULKMIGRATE_FAILPOINT", "BULKMIGRATE_PROVED", "BULKMIGRATE_STANDSTILL", "BULKMIGRATE_TRACE",
  ]

  /// Refuses a variable `BULKMIGRATE_…` that sets no option of any command, which is misspelled or left of an older version.
  fileprivate func refuseUnknownVariables() throws(UsageError) {
    let variables = environment.filter {
      $0.key.hasPrefix("BULKMIGRATE_") && !$0.value.isEmpty
        && !Self.internalVariables.contains($0.key)
        && !RareSettings.variables.contains($0.key)
    }
    guard !variables.isEmpty else { return }
    let options = commands().flatMap(\.options)
    let known = Set(options.filter { !$0.isOnlyTyped }.map(\.environmentName))
    guard let unknown = variables.keys.filter({ !known.contains($0) }).min() else { return }
    if let typed = options.first(where: { $0.environmentName == unknown }) {
      throw UsageError("\(unknown) cannot set \(typed.longForm), which is only typed")
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

  func wantsJSON(_ words: [String]) -> Bool {
    words.contains("--json") || environment["BULKMIGRATE_JSON"] == "1"
  }

  /// Reports an error of a command, and after an error in its words where its help is.
  fileprivate func report(_ error: any Error, of command: String, _ words: [String]) -> ExitCode {
    let output = wantsJSON(words) ? output.asJSON : output
    let code = output.report(error)
    if code == .usage, !output.isJSON { output.note("see: \(program) help \(command)") }
    return code
  }

  /// The settings of work within a memory limit, by a process that held so much when its command began.
  func settings(_ memoryLimit: ByteCount, _ base: ByteCount?) -> MigrationSettings {
    var settings = MigrationSettings()
    (settings.memoryLimit, settings.baseMemory) = (memoryLimit, base)
    settings.policies = policies
    rare.apply(to: &settings)
    return settings
  }

  var commandLine = ""

  var knowsPolicy: @Sendable (String) -> Bool { { policies.policy(named: $0) != nil } }
  var knowsTransformer: @Sendable (String) -> Bool { { policies.hasTransformer(named: $0) } }
}
