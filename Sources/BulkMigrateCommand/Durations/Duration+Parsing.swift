extension Duration {
  /// Parses a duration: `500ms`, `15s`, `5m` or `1h30m`.
  ///
  /// - Throws: The fault of the text, and what to type instead.
  init(parsing text: String) throws(UsageError) {
    let refusal = UsageError(
      "'\(text)' is not a time; try 500ms, 15s, 5m or 1h30m"
    )
    var rest = Substring(text)
    var sum: Int64 = 0
    var lastFactor = Int64.max
    while !rest.isEmpty {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { !("0"..."9").contains($0) }
      rest = rest.dropFirst(unit.count)
      guard let number = Int64(digits), let factor = Self.factors[unit] else {
        throw refusal
      }
      // Larger units come first, each at most once.
      guard factor < lastFactor else { throw refusal }
      lastFactor = factor
      let (product, isTooLong) = number.multipliedReportingOverflow(by: factor)
      guard !isTooLong, sum <= Self.longest - min(product, Self.longest) else {
        throw UsageError("'\(text)' is more than a hundred years; try 5m or 1h30m")
      }
      sum += product
    }
    guard lastFactor < .max else { throw refusal }
    self = .milliseconds(sum)
  }

  /// A hundred years, in milliseconds.
  private static let longest: Int64 = 3_155_760_000_000

  /// The milliseconds of a unit.
  private static let factors: [Substring: Int64] = [
    "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
  ]
}
