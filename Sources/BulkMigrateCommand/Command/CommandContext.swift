import BulkExecute

/// The context of the process in which a command runs.
struct CommandContext: Sendable {
  let environment: [String: String]
  /// The migration policies that the program has.
  let policies: PolicyRegistry
  var output: Output
  /// The program's name.
  var program = "bulkmigrate"
  /// Describes all commands of the program.
  var commands: @Sendable () -> [CommandDescription] = { [] }
  /// Whether words that could not be parsed ask for JSON.
  func wantsJSON(_ words: [String]) -> Bool {
    words.contains("--json") || environment["BULKMIGRATE_JSON"] == "1"
  }

  /// The command line as it can be typed again.
  var commandLine = ""
}
