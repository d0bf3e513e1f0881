/// What is the same in every row of a run, and after the run was interrupted and resumed too.
package struct RunConstants: Hashable, Sendable {
  /// What `now()` gives, in seconds since 2001-01-01 00:00:00 UTC.
  package let now: Double
  /// What `random()` begins with; the same seed gives the same number for the same row.
  package let randomSeed: UInt64

  package init(now: Double, randomSeed: UInt64) {
    self.now = now
    self.randomSeed = randomSeed
  }
}
