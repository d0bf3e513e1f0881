public import BulkExecute
public import BulkMapping
import BulkSupport
import BulkSQLite

/// Executes the process's command line with the caller's migration policies and transformers, and ends the process.
///
/// ```swift
/// import BulkMigrateCommand
///
/// BulkMigrateCommand.main(policies: ["Notes.SplitName": SplitName()])
/// ```
///
/// - Parameters:
///   - policies: The policies by the names of their classes, with or without a module.
///   - transformers: The transformers of transformable attributes by the names that the models have.
public func main(
  policies: [String: any EntityMigrationPolicy] = [:],
  transformers: [String: any AttributeTransformer] = [:]
) -> Never {
  let tool = CommandLineTool(policies: PolicyRegistry(policies, transformers: transformers))
  if CommandLine.arguments.dropFirst().first == PolicyHost.word {
    Platform.end(with: tool.becomePolicy())
  }
  Platform.begin()
  ProgressRequest.listen()
  Platform.end(with: LargeStack.run(tool.run))
}

/// The command-line program `bulkmigrate`.
struct CommandLineTool {
  fileprivate let policies: PolicyRegistry

  fileprivate func becomePolicy() -> ExitCode {
    ParentProcess.endWithIt()
    let reason = PolicyHost.become(Array(CommandLine.arguments.dropFirst(2)))
    Output(environment: [:]).note(reason)
    return .failed
  }

  fileprivate func run() -> ExitCode {
    let environment = SystemHost.current.environment()
    if let refusal = Self.refusal { return Output(environment: environment).report(refusal) }
    let program =
      CommandLine.arguments.first.flatMap { $0.split(separator: "/").last.map(String.init) }
      ?? "bulkmigrate"
    let words = Array(CommandLine.arguments.dropFirst())
    let context = CommandContext(
      environment: environment,
      policies: policies,
      output: Output(environment: environment, program: program),
      program: program,
      commandLine: ([program] + PolicyWords.withoutCommands(words).map { ShellWord.quoted($0) })
        .joined(separator: " ")
    )
    return Self.table.run(words, context)
  }
}

extension CommandLineTool {
  /// As many files as a store, its log, its journal, a state directory and the threads that read them have open.
  private static let fewestFiles: Int64 = 24

  /// Why no command can be carried out in this process; `nil` if one can.
  private static var refusal: Refusal? {
    // It always has the program's name, unless `/proc/self/cmdline`, from which Swift reads it, does not exist.
    guard !CommandLine.arguments.isEmpty else {
      return Refusal(
        .inputOutput,
        "the command line cannot be read, because /proc does not exist; nothing was done; mount it: mount -t proc proc /proc"
      )
    }
    guard let limit = ResourceLimit.openFiles.bytes, limit < fewestFiles else { return nil }
    return Refusal(
      .limitTooSmall,
      "a process may have only \(limit) files open here, and needs \(fewestFiles) at least; nothing was done; raise the "
        + "limit: ulimit -n 1024"
    )
  }
}
