/// The output options of every command.
struct OutputOptions: Sendable, Equatable {
  /// Results as one JSON document instead of text.
  var isJSON = false
  /// No narration and no progress: only results, warnings and errors.
  var isQuiet = false
  /// No styles, even if the terminal supports them.
  var isColorless = false
  /// No repainted line, even if standard error is a terminal.
  var isProgressPlain = false

  /// The rows that follow a command's own in every table.
  static func rows<Arguments: CommandArguments>() -> [OptionRow<Arguments>] {
    [
      .flag("json", "Print the result as JSON.") { $0.output.isJSON = true },
      .flag("quiet", short: "q", "Print results, warnings and errors only.") {
        $0.output.isQuiet = true
      }.orEnvironment,
      .flag("no-color", "Use no colour; NO_COLOR in the environment does the same.") {
        $0.output.isColorless = true
      },
      .flag("no-progress", "Report progress in plain lines instead of a repainted one.") {
        $0.output.isProgressPlain = true
      }.orEnvironment,
    ]
  }
}

/// The arguments of a command, as values.
protocol CommandArguments: Sendable {
  /// The output options.
  var output: OutputOptions { get set }
}
