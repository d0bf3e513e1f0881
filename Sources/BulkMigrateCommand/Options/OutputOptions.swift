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

  /// How much is reported meanwhile: 1 what is decided and why, 2 also every statement and every extent of pages.
  var verbosity = 0
  /// Whether only the settings are shown.
  var showsOrigin = false
  /// The file of settings; `none` for none, `nil` for that of the current folder.
  var configurationPath: String?

  /// The rows that follow a command's own in every table.
  ///
  /// - Parameter results: What it prints with `--json`.
  /// - Returns: The rows.
  static func rows<Arguments: CommandArguments>(
    _ results: [ResultFormat]
  ) -> [OptionRow<Arguments>] {
    let json = OptionRow<Arguments>.flag("json", "Print the result as JSON.") {
      $0.output.isJSON = true
    }
    return (results.isEmpty ? [] : [json]) + [
      .flag("quiet", short: "q", "Print results, warnings and errors only.") {
        $0.output.isQuiet = true
      },
      .flag("no-color", "Use no colour; NO_COLOR in the environment does the same.") {
        $0.output.isColorless = true
      },
      .flag("no-progress", "Report progress in plain lines instead of a repainted one.") {
        $0.output.isProgressPlain = true
      },
      .count(
        "verbose",
        short: "v",
        "Tell what is decided and why; -vv also tells every statement of SQL and every extent of pages written."
      ) { $0.output.verbosity += $1 },
      .value(
        Configuration.optionName,
        "FILE",
        "The file of settings; \(Configuration.usualPath) where there is one; none for none."
      ) { $0.output.configurationPath = $1 }.neverInFile("it names the file itself"),
      .flag("show-origin", "Show every setting and where it comes from, and do nothing.") {
        $0.output.showsOrigin = true
      }.neverInFile("then nothing else could be done"),
    ]
  }
}

/// The arguments of a command, as values.
protocol CommandArguments: Sendable {
  /// The output options.
  var output: OutputOptions { get set }
}
