import BulkMigrate
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Decides whether a run is to stop: because of a signal, because its time is over, or because the
/// process that started it is gone.
final class Stopping: Sendable {
  /// Why a run was asked to stop.
  private enum Reason {
    case signal
    case time
    case parent
  }

  /// How long the transaction that runs may go on after a signal; what stops must be on the disk within
  /// ten seconds.
  private static let grace = Duration.seconds(5)

  private let interruption: Interruption
  private let limit: Duration?
  private let parent: Int32?
  private let clock: @Sendable () -> Duration
  private let first = Mutex<(reason: Reason, time: Duration)?>(nil)

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - interruption: The signals.
  ///   - limit: The time after which the run must have ended.
  ///   - diesWithParent: Whether the run ends when the process that started it does.
  ///   - clock: The time since the run began.
  init(
    _ interruption: Interruption,
    after limit: Duration?,
    withParent diesWithParent: Bool,
    clock: @escaping @Sendable () -> Duration = Platform.elapsedTime()
  ) {
    self.interruption = interruption
    self.limit = limit
    self.clock = clock
    parent = diesWithParent ? getppid() : nil
  }

  /// Whether to stop, and how.
  var request: StopRequest? {
    let now = clock()
    return first.withLock { first in
      if first == nil, let reason = reason(at: now) { first = (reason, now) }
      guard let first else { return nil }
      return now >= end(of: first.reason, since: first.time) ? .atOnce : .afterTransaction
    }
  }

  /// How a run that was stopped ends.
  var exitCode: ExitCode {
    switch first.withLock({ $0?.reason }) {
    case .time: .workLeft
    case .parent: .terminated
    case .signal, nil: interruption.exitCode
    }
  }

  private func reason(at now: Duration) -> Reason? {
    if interruption.signal != nil { return .signal }
    if let limit, now >= limit - min(limit / 3, Self.grace) { return .time }
    if let parent, getppid() != parent { return .parent }
    return nil
  }

  private func end(of reason: Reason, since time: Duration) -> Duration {
    guard reason == .time, let limit else { return time + Self.grace }
    // What is left is for taking back what the transaction did.
    return limit - min(limit / 10, .seconds(1))
  }
}
