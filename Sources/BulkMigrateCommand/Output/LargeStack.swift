#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A thread with a stack that suffices for all commands, however small that of the process is.
///
/// The system gives a process the stack that `ulimit -s` says; beyond it a program ends without a word.
final class LargeStack {
  /// The bytes that every command can count on, the usual stack of a process.
  private static let size = 8 << 20

  private let body: () -> ExitCode
  private var code = ExitCode.failed

  private init(_ body: @escaping () -> ExitCode) { self.body = body }

  /// Runs a body where the stack suffices, and waits for its end.
  ///
  /// - Returns: What the body gives; ``ExitCode/failed`` where there can be no such thread.
  static func run(_ body: @escaping () -> ExitCode) -> ExitCode {
    guard isTooSmall else { return body() }
    let work = LargeStack(body)
    return work.runOnThread() ? work.code : .failed
  }

  /// Whether the process has a smaller stack.
  private static var isTooSmall: Bool {
    var limit = rlimit()
    #if canImport(Glibc)
    let found = getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit)
    #else
    let found = getrlimit(RLIMIT_STACK, &limit)
    #endif
    return found == 0 && limit.rlim_cur < rlim_t(size)
  }

  private func runOnThread() -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, Self.size) == 0 else { return false }
    let reference = Unmanaged.passUnretained(self).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    let started = pthread_create(&thread, &attributes, { Self.start($0) }, reference)
    guard started == 0, let thread else { return false }
    #else
    var thread = pthread_t()
    let started = pthread_create(
      &thread,
      &attributes,
      { reference in reference.flatMap { LargeStack.start($0) } },
      reference
    )
    guard started == 0 else { return false }
    #endif
    return pthread_join(thread, nil) == 0
  }

  private static func start(_ reference: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let work = Unmanaged<LargeStack>.fromOpaque(reference).takeUnretainedValue()
    work.code = work.body()
    return nil
  }
}
