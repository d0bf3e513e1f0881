/// Numbers and times as text.
enum NumberText {
  /// An integer with thousands separators, as `1,234,567`.
  static func grouped(_ number: Int64) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return number < 0 ? "-" + text : text
  }

  /// A time in its two largest units, as `0.4s`, `12s`, `1m 03s` or `2h 05m`.
  ///
  /// Only times below 10 seconds have a decimal.
  static func short(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    let tenths = whole * 10 + (attoseconds / 50_000_000_000_000_000 + 1) / 2
    guard tenths >= 100 else { return "\(tenths / 10).\(tenths % 10)s" }
    let seconds = whole + (attoseconds >= 500_000_000_000_000_000 ? 1 : 0)
    if seconds < 60 { return "\(seconds)s" }
    if seconds < 3600 { return "\(seconds / 60)m \(twoDigits(seconds % 60))s" }
    return "\(seconds / 3600)h \(twoDigits(seconds % 3600 / 60))m"
  }

  /// A fraction in percent, rounded down so that 100% means all.
  static func percent(_ part: Int64, of whole: Int64) -> String {
    whole > 0 ? "\(Int(Double(part) / Double(whole) * 100))%" : "100%"
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
