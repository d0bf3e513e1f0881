import BulkPlatform
import Synchronization

/// The signals that request the progress of a migration: SIGUSR1, and SIGINFO where it exists.
enum StateInquiry {
  /// A signal handler can access only globals.
  private static let isOpen = Atomic<Bool>(false)

  /// Starts handling them; a command without progress ignores them.
  ///
  /// A signal that the parent process has blocked is unblocked.
  static func listen() {
    ProcessSignal.inquiries.forEach(listen)
  }

  private static func listen(to number: Int32) {
    let signal = ProcessSignal(number)
    guard !signal.isIgnored else { return }
    signal.handle { _ in StateInquiry.isOpen.store(true, ordering: .relaxed) }
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
