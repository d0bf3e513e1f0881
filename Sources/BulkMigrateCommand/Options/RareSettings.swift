import BulkExecute

/// Settings that only variables of the environment have, which hardly anybody needs.
struct RareSettings: Sendable {
  /// How long to wait for the lock of another process; `nil` for not at all, and for 10 seconds in a fleet.
  private(set) var lockWait: Duration?
  /// The threads that work at the same time; `nil` for as many as there are processors.
  private(set) var threads: Int?
  /// How long the program of a policy may take for a reply.
  private(set) var policyTimeout = Duration.seconds(60)

  typealias Variable = (
    name: String, help: String,
    set: @Sendable (inout RareSettings, String) throws(UsageError) -> Void
  )

  static let variables: [Variable] = [
    (
      "BULKMIGRATE_LOCK_WAIT",
      "How long to wait for another process that works on the same store, as 10m. Default: 0s, in a fleet 10s.",
      { (settings, text) throws(UsageError) in settings.lockWait = try Duration(parsing: text) }
    ),
    (
      "BULKMIGRATE_POLICY_TIMEOUT", "Timeout for each reply of a policy program. Default: 60s.",
      { (settings, text) throws(UsageError) in settings.policyTimeout = try Duration(parsing: text)
      }
    ),
    (
      "BULKMIGRATE_THREADS",
      "Threads that work at the same time, 1 or 2: one makes pages, the other writes them. Default: 2 where there are two "
        + "processors, 1 in each of several workers.",
      { (settings, text) throws(UsageError) in settings.threads = try Int(parsing: text, in: 1...2)
      }
    ),
  ]

  /// The settings without any variable.
  static let usual = RareSettings()

  private init() {}

  init(_ environment: [String: String]) throws(UsageError) {
    for variable in Self.variables {
      guard let text = environment[variable.name], !text.isEmpty else { continue }
      do {
        try variable.set(&self, text)
      } catch {
        throw UsageError("\(variable.name): \(error)")
      }
    }
  }

  /// The settings that the variables change.
  func apply(to settings: inout MigrationSettings) {
    settings.lockWait = lockWait ?? settings.lockWait
    settings.threads = threads ?? settings.threads
  }
}
