import BulkPlatform

/// A stack that suffices for all commands, however small that of the process is.
///
/// The system gives a process the stack that `ulimit -s` says; beyond it a program ends without a word.
enum LargeStack {
  /// The bytes that every command can count on, the usual stack of a process.
  private static let size = 8 << 20

  /// Runs a body where the stack suffices, and waits for its end.
  ///
  /// - Returns: What the body gives; ``ExitCode/failed`` where there can be no thread with such a stack.
  static func run(_ body: @escaping () -> ExitCode) -> ExitCode {
    guard let given = ResourceLimit.stack.bytes, given < size else { return body() }
    var code = ExitCode.failed
    return SystemThread.run(stackBytes: size) { code = body() } ? code : .failed
  }
}
