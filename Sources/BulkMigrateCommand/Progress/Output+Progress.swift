extension Output {
  /// A progress report on standard error, in the style that suits it and that the user wants.
  ///
  /// - Parameter clock: Tells the time since some fixed moment.
  /// - Returns: The report.
  func progress(
    clock: @escaping @Sendable () -> Duration = Platform.elapsedTime()
  ) -> TerminalProgress {
    let style: TerminalProgress.Style = isQuiet ? .none : canRepaint ? .repainted : .plain
    return TerminalProgress(on: narration, style: style, clock: clock)
  }
}
