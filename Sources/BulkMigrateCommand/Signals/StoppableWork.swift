import BulkExecute

extension CommandContext {
  /// Runs work that a signal stops, and shows its progress meanwhile.
  ///
  /// - Parameters:
  ///   - text: The warning where it was stopped.
  ///   - body: The work; it ends the progress before it prints anything.
  /// - Returns: What the work returns, or the exit code of the signal.
  /// - Throws: What the work throws, but for ``MigrationError/cancelled``.
  func stoppable(
    warning text: String,
    _ body: (Stopping, TerminalProgress) throws -> ExitCode
  ) throws -> ExitCode {
    let stopping = Stopping(Interruption.watch(), after: nil, withParent: false)
    let progress = output.progress()
    defer { progress.finish() }
    do {
      return try body(stopping, progress)
    } catch MigrationError.cancelled {
      progress.finish()
      output.warning(text)
      return stopping.exitCode
    }
  }
}
