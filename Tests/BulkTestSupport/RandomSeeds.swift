internal import Foundation

/// The seeds of a test with random cases.
package enum RandomSeeds {
  /// Some first seeds: as many as the suite has time for, or as many as the environment's `RANDOM_CASES` says.
  ///
  /// With `RANDOM_SEED` they are others: those of each number begin at a million times that number.
  package static func first(_ count: UInt64) -> Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    let first = (environment["RANDOM_SEED"].flatMap { UInt64($0) } ?? 0) * 1_000_000
    return first..<(first + (environment["RANDOM_CASES"].flatMap { UInt64($0) } ?? count))
  }
}
