import BulkPlatform

/// A stack that suffices for all commands, even if that of the process is small.
///
/// `ulimit -s` sets the stack of a process; a program that exceeds it ends without a message.
enum LargeStack {
  /// The stack of every command in bytes, the usual size for a process.
  private static let size = 8 << 20

  /// Runs a body where the stack suffices, and waits for its end.
  ///
  /// - Returns: The result of the body; ``ExitCode/failed`` if no thread with such a stack can be made.
  static func run(_ body: @escaping () -> ExitCode) -> ExitCode {
    guard let given = ResourceLimit.stack.bytes, given < size else { return body() }
    var code = ExitCode.failed
    return SystemThread.run(stackBytes: size) { code = body() } ? code : .failed
  }
}
