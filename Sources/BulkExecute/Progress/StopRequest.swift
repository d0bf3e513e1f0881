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
  package var waitsForHeadway = false
  package static let afterTransaction = StopRequest(moment: .afterTransaction)
  package static let atOnce = StopRequest(moment: .atOnce)

  /// The same request, which waits until the attempt is further than every one before it: repeated stops
  /// cannot keep the migration from finishing, however short each attempt is.
  package var afterHeadway: StopRequest {
    var request = self
    request.waitsForHeadway = true
    return request
  }
}

/// Whether an attempt is further than every one before it.
///
/// It is as soon as something is durable that no attempt has made: a transaction with its checkpoint, or a
/// complete store.
final class Headway {
  private(set) var isMade = false

  func make() { isMade = true }
}
