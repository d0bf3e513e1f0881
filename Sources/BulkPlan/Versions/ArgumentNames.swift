/// The names by which messages refer to the arguments of a migration.
package enum ArgumentNames: Hashable, Sendable {
  /// Options of the command line, as `--models`.
  case options
  /// Arguments and properties of the library's interface, as `models`.
  case properties

  private func name(_ option: String, _ property: String) -> String {
    words("--\(option)", "`\(property)`")
  }

  private func words(_ ofOptions: String, _ ofProperties: String) -> String {
    self == .options ? ofOptions : ofProperties
  }
}

extension ArgumentNames {
  package var source: String { name("source", "source") }
  package var destination: String { name("destination", "destination") }
  package var sourceModel: String { name("source-model", "sourceModel") }
  package var destinationModel: String { name("destination-model", "destinationModel") }
  package var models: String { name("models", "models") }
  package var mapping: String { name("mapping", "mapping") }
  package var mappings: String { name("mappings", "mappings") }
  package var version: String { name("to", "version") }

  package var withoutInference: String { words("--no-infer", "`infers` false") }

  func ignoring(_ files: [String]) -> String {
    let option = name("ignore-mapping", "ignoredMappings")
    let quoted = files.map { "'\($0.replacing("'", with: "'\\''"))'" }
    return words(
      quoted.map { "\(option) \($0)" }.joined(separator: " "),
      "\(option) with \(files.joined(separator: " and "))"
    )
  }

  func allowing(_ allowance: PlanAllowance) -> String {
    words("--allow \(allowance.rawValue)", "`allowed` with .\(allowance.rawValue)")
  }

  var addingPolicies: String {
    words(
      "name a program for a policy with --policy NAME='command', or build an "
        + "executable that hands its policies to BulkMigrateCommand.main(policies:transformers:)",
      "add them to `policies` or `transformers`"
    )
  }

  var rebuilding: String {
    words(
      "without --strategy copy and --no-copy it is rebuilt",
      "without `strategy` it is rebuilt"
    )
  }

  var makingPlan: String {
    words("make one with bulkmigrate plan, or name it with --plan", "make one with plan()")
  }
}

extension ArgumentNames {
  package var stateDirectory: String { name("state-dir", "stateDirectory") }
  package var memoryLimit: String { name("max-memory", "memoryLimit") }
  package var rejectLimit: String { name("max-rejects", "rejects.limit") }
  package var lockWait: String { words("BULKMIGRATE_LOCK_WAIT", "`lockWait`") }
  package var timeLimit: String { name("max-duration", "timeLimit") }

  package var oneMinuteLockWait: String { words("\(lockWait)=1m", "a \(lockWait) of a minute") }
}
