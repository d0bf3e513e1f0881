import BulkExecute
import BulkPlatform
import Synchronization

/// Decides whether a run is to stop: because of a signal, because its time is over, or because the
/// process that started it is gone.
///
/// When its time is over a run first comes further than every one before it, so that runs whose time is
/// always too short come to the end together.
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
      // Whoever is out of time may still have to come further; what is asked for by others ends that.
      if first == nil || first?.reason == .time, let reason = reason(at: now),
        reason != first?.reason
      {
        first = (reason, now)
      }
      guard let first else { return nil }
      let isOver = now >= end(of: first.reason, since: first.time)
      let request: StopRequest = isOver ? .atOnce : .afterTransaction
      return first.reason == .time ? request.afterHeadway : request
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
    if let parent, getppid() != parent { return .parent }
    if let limit, now >= limit - min(limit / 3, Self.grace) { return .time }
    return nil
  }

  private func end(of reason: Reason, since time: Duration) -> Duration {
    guard reason == .time, let limit else { return time + Self.grace }
    // What is left is for taking back what the transaction did.
    return limit - min(limit / 10, .seconds(1))
  }
}
