internal import BulkSupport

/// The time that a run has since the limit was made.
///
/// A run whose time is over first gets further than every earlier attempt, so that attempts with too little time
/// complete the migration together.
package struct TimeLimit: Sendable {
  private let limit: Duration
  private let clock: @Sendable () -> Duration

  package init(_ limit: Duration, clock: @escaping @Sendable () -> Duration) {
    (self.limit, self.clock) = (limit, clock)
  }

  package init(_ limit: Duration) {
    let start = SystemHost.current.instant()
    self.init(limit) { start.duration(to: SystemHost.current.instant()) }
  }

  /// `nil` while there is time.
  package var request: StopRequest? {
    let now = clock()
    // The rest is for the running transaction, and the last second for rolling it back.
    guard now >= limit - min(limit / 3, .seconds(5)) else { return nil }
    let isOver = now >= limit - min(limit / 10, .seconds(1))
    return (isOver ? StopRequest.atOnce : .afterTransaction).afterProgress
  }
}

/// A request to stop a migration.
package struct StopRequest: Hashable, Sendable {
  /// The moment when a migration stops.
  package enum Moment: Hashable, Sendable {
    /// After the running transaction, so that nothing of it is lost.
    case afterTransaction
    /// At once; the running transaction is done again.
    case atOnce
  }

  package var moment: Moment
  /// Whether it first waits until the attempt is further than every one before it.
  var waitsForProgress = false
  package static let afterTransaction = StopRequest(moment: .afterTransaction)
  package static let atOnce = StopRequest(moment: .atOnce)

  /// The same request, which waits until the attempt is further than every one before it: repeated stops
  /// cannot keep the migration from finishing, however short each attempt is.
  package var afterProgress: StopRequest {
    var request = self
    request.waitsForProgress = true
    return request
  }
}
