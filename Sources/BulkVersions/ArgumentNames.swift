/// How texts call what a user can give to a migration.
public enum ArgumentNames: Hashable, Sendable {
  /// By the options of the command line, as `--models`.
  case options
  /// By the arguments and properties of the library's interface, as `models`.
  case properties

  private func name(_ option: String, _ property: String) -> String {
    switch self {
    case .options: "--\(option)"
    case .properties: "`\(property)`"
    }
  }
}

/// What a plan is made from.
extension ArgumentNames {
  package var source: String { name("source", "source") }
  package var destination: String { name("destination", "destination") }
  package var sourceModel: String { name("source-model", "sourceModel") }
  package var destinationModel: String { name("destination-model", "destinationModel") }
  package var models: String { name("models", "models") }
  package var mapping: String { name("mapping", "mapping") }
  package var mappings: String { name("mappings", "mappings") }
  package var version: String { name("to", "version") }

  /// How mappings are left out.
  func ignoring(_ files: [String]) -> String {
    let option = name("ignore-mapping", "ignoredMappings")
    let quoted = files.map { "'\($0.replacing("'", with: "'\\''"))'" }
    switch self {
    case .options: return quoted.map { "\(option) \($0)" }.joined(separator: " ")
    case .properties: return "\(option) with \(files.joined(separator: " and "))"
    }
  }

  /// How a program gets policies that it does not have.
  var addingPolicies: String {
    switch self {
    case .options:
      "build an executable that hands its policies to BulkMigrateCommand.main(policies:)"
    case .properties: "add them to `policies`"
    }
  }

  /// How a plan file is made that is not there.
  var makingPlan: String {
    switch self {
    case .options: "make one with bulkmigrate plan, or name it with --plan"
    case .properties: "make one with plan()"
    }
  }
}

/// What a run is given.
extension ArgumentNames {
  /// The folder of what survives an interruption.
  package var stateDirectory: String { name("state-dir", "stateDirectory") }
  /// The memory that the process may hold.
  package var memoryLimit: String { name("max-memory", "memoryLimit") }
  /// How long the lock of another process is waited for.
  package var lockWait: String { name("lock-wait", "lockWait") }

  /// The time after which a run stops.
  package var timeLimit: String { name("max-duration", "timeLimit") }

  /// A lock wait of a minute.
  package var lockWaitOfAMinute: String {
    switch self {
    case .options: "\(lockWait) 1m"
    case .properties: "a \(lockWait) of a minute"
    }
  }
}
