/// What was typed after a command's name, as values.
protocol CommandArguments: Sendable {
  /// What every command understands about output.
  var output: OutputOptions { get set }
}
