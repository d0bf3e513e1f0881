import BulkExecute

/// What a command gets from the process that it runs in.
struct CommandContext: Sendable {
  let environment: [String: String]
  /// The migration policies that the program has.
  let policies: PolicyRegistry
  var output: Output
  /// The name by which the program was called.
  var program = "bulkmigrate"
}
