internal import Foundation

/// The seeds of a test with random cases.
package enum RandomSeeds {
  /// Some first seeds: as many as the suite has time for, or as many as the environment's `RANDOM_CASES` says.
  package static func first(_ count: UInt64) -> Range<UInt64> {
    let asked = ProcessInfo.processInfo.environment["RANDOM_CASES"].flatMap { UInt64($0) }
    return 0..<(asked ?? count)
  }
}
