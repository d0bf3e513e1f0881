import BulkExecute
import BulkPlatform
import Synchronization

/// Decides whether a run should stop: because of a signal, because its time is over, or because its parent
/// process has ended.
///
/// A run whose time is over first gets further than every earlier attempt, so that attempts with too little
/// time complete the migration together.
final class Stopping: Sendable {
  /// Why a run should stop.
  private enum Reason {
    case signal
    case time
    case parent
  }

  /// The time for which the current transaction may continue after a signal; a stopped run must be on disk
  /// within ten seconds.
  private static let grace = Duration.seconds(5)

  private let interruption: Interruption
  private let limit: Duration?
  private let parent: Int32?
  private let clock: @Sendable () -> Duration
  private let first = Mutex<(reason: Reason, time: Duration)?>(nil)

  /// Starts watching.
  ///
  /// - Parameters:
  ///   - interruption: The signals.
  ///   - limit: The time after which the run must have ended.
  ///   - diesWithParent: Whether the run ends when its parent process does.
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

  /// The request to stop, if any.
  var request: StopRequest? {
    let now = clock()
    return first.withLock { first in
      // A run that is out of time may still have to get further; a signal ends that.
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

  /// The exit code of a stopped run.
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
    // The remaining time is for rolling back the transaction.
    return limit - min(limit / 10, .seconds(1))
  }
}
