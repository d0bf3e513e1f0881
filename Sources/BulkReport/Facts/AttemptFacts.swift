/// One attempt at a store of a fleet, as its results tell.
package struct AttemptFacts: Hashable, Sendable {
  /// When it ended, in seconds since 1970-01-01 00:00:00 UTC.
  package var ended: Double
  /// The word for its outcome in the results.
  package var outcome: String
  /// The seconds that it took.
  package var seconds: Double
  /// The rows that it wrote; `nil` where they are not known.
  package var rows: Int64?
  /// The computer that made it.
  package var host: String
  /// The error that ended it; `nil` if nothing failed.
  package var error: String?

  package init(
    ended: Double,
    outcome: String,
    seconds: Double,
    host: String = "",
    error: String?
  ) {
    (self.ended, self.outcome, self.seconds) = (ended, outcome, seconds)
    (self.host, self.error) = (host, error)
  }
}
