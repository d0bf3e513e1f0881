import BulkPlatform
import Synchronization

/// The signal by which somebody asks where a migration stands: SIGUSR1, and SIGINFO where there is one.
enum StateInquiry {
  /// A signal handler can reach nothing but a global.
  private static let isOpen = Atomic<Bool>(false)

  /// Starts to listen; a command that has nothing to tell goes on in silence.
  ///
  /// A signal that is only held back by whoever started the process is let through.
  static func listen() {
    ProcessSignal.inquiries.forEach(listen)
  }

  private static func listen(to number: Int32) {
    let signal = ProcessSignal(number)
    guard !signal.isIgnored else { return }
    signal.handle { _ in StateInquiry.isOpen.store(true, ordering: .relaxed) }
    var signals = sigset_t()
    // The calls change the set in its place, and do not keep it.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Answers, if somebody has asked since it was answered last.
  static func answer(with progress: TerminalProgress) {
    if isOpen.exchange(false, ordering: .relaxed) { progress.tell() }
  }
}
