/// What a command gets from the process that it runs in.
struct CommandContext: Sendable {
  let environment: [String: String]
  var output: Output
}
