import BulkExecute
import BulkSupport
import Synchronization

/// Decides whether a run should stop: because of a signal, because its time is over, or because its parent
/// process has ended.
final class Stopping: Sendable {
  private enum Reason {
    case signal
    case time
    case parent
  }

  /// The time for which the current transaction may continue after a signal; a stopped run must be on disk
  /// within ten seconds.
  private static let grace = Duration.seconds(5)

  private let limit: TimeLimit?
  private let parent: Int32?
  private let clock = Platform.elapsedTime()
  private let first = Mutex<(reason: Reason, time: Duration)?>(nil)

  init(after limit: Duration? = nil, withParent diesWithParent: Bool = false) {
    self.limit = limit.map { [clock] in TimeLimit($0, clock: clock) }
    parent = diesWithParent ? getppid() : nil
  }

  var request: StopRequest? {
    let now = clock()
    return first.withLock { first in
      // A run that is out of time may still have to get further; a signal ends that.
      if first == nil || first?.reason == .time, let reason, reason != first?.reason {
        first = (reason, now)
      }
      guard let first else { return nil }
      guard first.reason != .time else { return limit?.request }
      return now >= first.time + Self.grace ? .atOnce : .afterTransaction
    }
  }

  var exitCode: ExitCode {
    switch first.withLock({ $0?.reason }) {
    case .time: .workLeft
    case .parent: .terminated
    case .signal, nil: Interruption.exitCode
    }
  }

  private var reason: Reason? {
    if Interruption.signal != nil { return .signal }
    if let parent, getppid() != parent { return .parent }
    return limit?.request == nil ? nil : .time
  }
}

/// The signals that request a run to stop.
///
/// The first one ends the run after its batch; the second ends the process at once.
enum Interruption {
  /// The signal that arrived first; 0 before any.
  ///
  /// A signal handler can access only globals.
  private static let received = Atomic<Int32>(0)

  /// Starts handling SIGINT, SIGTERM and SIGHUP.
  ///
  /// A signal that is ignored stays ignored, as `nohup` requires; one that the parent process has blocked is
  /// unblocked.
  static func watch() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      ProcessSignal.listen(to: number) { number in
        Interruption.received.store(number, ordering: .relaxed)
        ProcessSignal(number).handle(SIG_DFL)
      }
    }
  }

  static var signal: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  static var exitCode: ExitCode {
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
    for number in ProcessSignal.progressRequests {
      ProcessSignal.listen(to: number) { _ in ProgressRequest.isOpen.store(true, ordering: .relaxed)
      }
    }
  }

  /// Answers if a request has arrived since the last answer.
  static func answer(with progress: TerminalProgress) {
    if isOpen.exchange(false, ordering: .relaxed) { progress.writeLine() }
  }
}

extension ProcessSignal {
  fileprivate static func listen(to number: Int32, _ handler: @convention(c) (Int32) -> Void) {
    let signal = ProcessSignal(number)
    guard !signal.isIgnored else { return }
    signal.handle(handler)
    var signals = sigset_t()
    // The calls modify the set in place, and do not keep the pointer.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}

extension CommandContext {
  /// Runs work that a signal stops with a warning and its own exit code, and shows its progress, which the work ends
  /// before it prints anything.
  ///
  /// - Throws: The error of the work, except ``MigrationError/cancelled``.
  func stoppable(
    warning text: String,
    _ body: (Stopping, TerminalProgress) throws -> ExitCode
  ) throws -> ExitCode {
    Interruption.watch()
    let stopping = Stopping()
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
