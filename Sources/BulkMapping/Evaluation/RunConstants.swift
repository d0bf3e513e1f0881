/// Values that are the same for every row of a run, even after it is resumed.
package struct RunConstants: Sendable {
  /// The value of `now()`, in seconds since 2001-01-01 00:00:00 UTC.
  package let now: Double
  /// The seed of `random()`; the same seed gives the same number for the same row.
  package let randomSeed: UInt64

  /// The transformers of the program.
  package let transformers: TransformerRegistry

  package init(
    now: Double,
    randomSeed: UInt64,
    transformers: TransformerRegistry = TransformerRegistry()
  ) {
    self.now = now
    self.randomSeed = randomSeed
    self.transformers = transformers
  }
}
