/// What became of the stores so far.
package struct FleetTally: Codable, Hashable, Sendable {
  /// The number of all stores.
  package var total = 0
  /// The attempts that were begun.
  package var started = 0
  package var done = 0
  package var already = 0
  package var failed = 0
  package var quarantined = 0
  package var stopped = 0
  package var overtaken = 0
  /// The stores that were migrated, and found not to be as they should; they count as quarantined too.
  package var unverified = 0
  /// The stores that are done but for objects that were left out.
  package var rejected = 0

  package init() {}

  /// The stores with nothing left to do.
  package var ended: Int { done + already }
  /// The stores that failed.
  package var failures: Int { failed + quarantined }

  mutating func take(_ result: StoreResult) {
    switch result.outcome {
    case .done: done += 1
    case .already: already += 1
    case .failed: failed += 1
    case .quarantined: quarantined += 1
    case .stopped: stopped += 1
    case .overtaken: overtaken += 1
    }
    if result.isVerified == false { unverified += 1 }
    if result.outcome.isEnd, result.rejected != nil { rejected += 1 }
  }
}
