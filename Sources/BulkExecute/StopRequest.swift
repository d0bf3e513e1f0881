/// How a migration is asked to stop.
public enum StopRequest: Hashable, Sendable {
  /// With the transaction that runs, so that nothing of it is lost.
  case afterTransaction
  /// At once; what the running transaction did is done again.
  case atOnce
}
