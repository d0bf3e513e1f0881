import BulkCoding

extension ByteCount {
  /// Parses a size: `256M`, `0.5G`, `512KiB`, `300MB`, `1048576` or `25%`.
  ///
  /// K, M, G, T and KiB, MiB, GiB, TiB are powers of 1024; KB, MB, GB, TB are powers of 1000; case does not
  /// matter. A number without a unit is in bytes, and is refused below 1 MiB, because a unit was probably
  /// forgotten. A percentage is of `memory`.
  ///
  /// - Throws: The fault of the text, and what to type instead.
  init(parsing text: String) throws(UsageError) {
    try self.init(parsing: text) { AvailableMemory.detected() }
  }

  /// Parses a size; the base of percentages is called for a percentage only.
  init(parsing text: String, memory: () -> ByteCount) throws(UsageError) {
    let number = text.prefix { ("0"..."9").contains($0) || $0 == "." }
    let unit = String(text.dropFirst(number.count).drop { $0 == " " }).lowercased()
    guard let decimal = TypedNumber(number) else { throw .notASize(text) }
    if unit == "%" {
      let whole = memory()
      let share = decimal.fraction / 100 + Double(decimal.whole) / 100
      guard share > 0, share <= 1 else {
        throw UsageError("'\(text)' is not above 0% and at most 100%; try 25%")
      }
      self.init(bytes: Int64(Double(whole.bytes) * share))
      return
    }
    guard let factor = Self.factors[unit] else { throw .notASize(text) }
    guard let bytes = decimal.multiplied(by: factor) else {
      throw UsageError("'\(text)' is more than a file or a memory can hold; try 512M or 1.5G")
    }
    guard bytes > 0 else { throw UsageError("'\(text)' is nothing at all; try 512M, 1.5G or 25%") }
    self.init(bytes: bytes)
    guard !unit.isEmpty || self >= .mebibytes(1) else {
      throw UsageError("'\(text)' has no unit and would be \(self); try \(text)M")
    }
  }

  /// The bytes of a lower-case unit.
  private static let factors: [String: Int64] = [
    "": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30,
    "gib": 1 << 30, "t": 1 << 40, "tib": 1 << 40, "kb": 1_000, "mb": 1_000_000,
    "gb": 1_000_000_000, "tb": 1_000_000_000_000,
  ]
}

/// A number with decimals, whose integer part is exact.
private struct TypedNumber {
  let whole: Int64
  let fraction: Double

  /// Parses digits with at most one point, which has digits on both sides.
  init?(_ text: Substring) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    // Digits that do not fit are certainly too large.
    whole = Int64(parts[0]) ?? .max
    fraction = parts.count == 2 ? Double("0.\(parts[1])") ?? 0 : 0
  }

  /// The product, rounded down; `nil` if it does not fit.
  func multiplied(by factor: Int64) -> Int64? {
    let (product, overflows) = whole.multipliedReportingOverflow(by: factor)
    guard !overflows, whole < .max else { return nil }
    let (sum, sumOverflows) = product.addingReportingOverflow(Int64(fraction * Double(factor)))
    return sumOverflows ? nil : sum
  }
}

extension UsageError {
  /// A text that is not a number with a known unit.
  static func notASize(_ text: String) -> UsageError {
    UsageError("'\(text)' is not a size; try 512M, 1.5G or 25%")
  }
}
