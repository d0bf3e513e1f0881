/// An error that knows with which code the program should end.
protocol ErrorWithExitCode: Error {
  /// The code; an error without one ends the program with ``ExitCode/failed``.
  var exitCode: ExitCode { get }
}
