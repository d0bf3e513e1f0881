import BulkCoding

/// Numbers and times as text.
enum NumberText {
  /// An integer with thousands separators, as `1,234,567`.
  static func grouped(_ number: Int64) -> String { number.grouped }

  /// A time in its two largest units, as `0.4s`, `12s`, `1m 03s` or `2h 05m`.
  static func short(_ duration: Duration) -> String { duration.short }

  /// A fraction in percent, rounded down so that 100% means all.
  static func percent(_ part: Int64, of whole: Int64) -> String {
    whole > 0 ? "\(Int(Double(part) / Double(whole) * 100))%" : "100%"
  }
}
