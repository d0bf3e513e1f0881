import BulkPlatform
import Synchronization

/// The signals by which a run is asked to stop.
///
/// The first one ends the run after its batch; the second ends the process at once.
struct Interruption: Sendable {
  /// The signal that arrived first; 0 before any.
  ///
  /// A signal handler can reach nothing but a global.
  private static let received = Atomic<Int32>(0)

  /// Starts to watch for SIGINT, SIGTERM and SIGHUP.
  ///
  /// One that is ignored stays so, as `nohup` wants it; one that is only held back by whoever started
  /// the process is let through.
  @discardableResult
  static func watch() -> Interruption {
    var signals = sigset_t()
    // The calls change the set in its place, and do not keep it.
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

  /// The signal that asked to stop, if one did.
  var signal: Int32? {
    let number = Self.received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// How a run that was asked to stop ends.
  var exitCode: ExitCode {
    switch signal {
    case SIGTERM: .terminated
    case SIGHUP: .hungUp
    default: .interrupted
    }
  }
}
