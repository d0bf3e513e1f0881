import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The signals by which a run is asked to stop.
///
/// The first one ends the run after its batch; the second ends the process at once.
struct Interruption: Sendable {
  /// The signal that arrived first; 0 before any.
  ///
  /// A signal handler can reach nothing but a global.
  private static let received = Atomic<Int32>(0)

  /// Starts to watch for SIGINT, SIGTERM and SIGHUP.
  static func watch() -> Interruption {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      Self.handle(number) { number in
        Interruption.received.store(number, ordering: .relaxed)
        Interruption.handle(number, SIG_DFL)
      }
    }
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

  private static func handle(_ number: Int32, _ handler: (@convention(c) (Int32) -> Void)?) {
    #if canImport(Glibc)
    _ = Glibc.signal(number, handler)
    #elseif canImport(Musl)
    _ = Musl.signal(number, handler)
    #else
    _ = Darwin.signal(number, handler)
    #endif
  }
}
