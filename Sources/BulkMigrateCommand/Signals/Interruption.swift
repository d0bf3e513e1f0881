import BulkPlatform
import Synchronization

/// The signals that request a run to stop.
///
/// The first one ends the run after its batch; the second ends the process at once.
struct Interruption: Sendable {
  /// The signal that arrived first; 0 before any.
  ///
  /// A signal handler can access only globals.
  private static let received = Atomic<Int32>(0)

  /// Starts handling SIGINT, SIGTERM and SIGHUP.
  ///
  /// A signal that is ignored stays ignored, as `nohup` requires; one that the parent process has blocked is
  /// unblocked.
  @discardableResult
  static func watch() -> Interruption {
    var signals = sigset_t()
    // The calls modify the set in place, and do not keep the pointer.
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] where !ProcessSignal(number).isIgnored {
      unsafe sigaddset(&signals, number)
      ProcessSignal(number).handle { number in
        Interruption.received.store(number, ordering: .relaxed)
        ProcessSignal(number).handle(SIG_DFL)
      }
    }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    return Interruption()
  }

  /// The signal that requested the stop, if any.
  var signal: Int32? {
    let number = Self.received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// The exit code of a run stopped by the signal.
  var exitCode: ExitCode {
    switch signal {
    case SIGTERM: .terminated
    case SIGHUP: .hungUp
    default: .interrupted
    }
  }
}

/// The signals that request the progress of a migration: SIGUSR1, and SIGINFO where it exists.
enum ProgressRequest {
  /// A signal handler can access only globals.
  private static let isOpen = Atomic<Bool>(false)

  /// Starts handling them; a command without progress ignores them.
  ///
  /// A signal that the parent process has blocked is unblocked.
  static func listen() {
    ProcessSignal.progressRequests.forEach(listen)
  }

  private static func listen(to number: Int32) {
    let signal = ProcessSignal(number)
    guard !signal.isIgnored else { return }
    signal.handle { _ in ProgressRequest.isOpen.store(true, ordering: .relaxed) }
    var signals = sigset_t()
    // The calls modify the set in place, and do not keep the pointer.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Answers if a request has arrived since the last answer.
  static func answer(with progress: TerminalProgress) {
    if isOpen.exchange(false, ordering: .relaxed) { progress.tell() }
  }
}
