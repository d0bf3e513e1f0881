internal import Foundation

/// How many cases a test tries: as many as the environment's `RANDOM_CASES` says, otherwise all that it has time for.
package enum RandomSeeds {
  private static let cases = ProcessInfo.processInfo.environment["RANDOM_CASES"].flatMap {
    UInt64($0)
  }

  /// Some first seeds.
  ///
  /// With `RANDOM_SEED` they are others: those of each number begin at a million times that number.
  package static func first(_ count: UInt64) -> Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    let first = (environment["RANDOM_SEED"].flatMap { UInt64($0) } ?? 0) * 1_000_000
    return first..<(first + (cases ?? count))
  }

  /// Every so-many-th of some long cases, where fewer than a hundred are asked for, as `tools/test` does; otherwise all.
  ///
  /// It begins in the middle of the step, or of what there is: the first case is often the one that shows least.
  package static func some<Case>(of all: [Case], every step: Int) -> [Case] {
    guard let cases, cases < 100 else { return all }
    return stride(from: min(step, all.count) / 2, to: all.count, by: step).map { all[$0] }
  }
}
