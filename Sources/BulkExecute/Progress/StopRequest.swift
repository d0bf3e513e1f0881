/// How a migration is asked to stop.
public struct StopRequest: Hashable, Sendable {
  /// When a migration stops.
  public enum Moment: Hashable, Sendable {
    /// With the transaction that runs, so that nothing of it is lost.
    case afterTransaction
    /// At once; what the running transaction did is done again.
    case atOnce
  }

  /// When it stops.
  public var moment: Moment
  /// Whether it goes on until it has come further than every attempt before it.
  public var waitsForHeadway = false

  /// A request to stop with the transaction that runs.
  public static let afterTransaction = StopRequest(moment: .afterTransaction)
  /// A request to stop at once.
  public static let atOnce = StopRequest(moment: .atOnce)

  /// The same request, which waits until the attempt has come further than every one before it: attempts
  /// that are only ever stopped so come to the end together, however short each is.
  public var afterHeadway: StopRequest {
    var request = self
    request.waitsForHeadway = true
    return request
  }
}

/// Whether an attempt has come further than every one before it.
///
/// It has as soon as something is durable that no attempt has made: a transaction with its checkpoint, or a
/// store that is whole.
final class Headway {
  private(set) var isMade = false

  func make() { isMade = true }
}
