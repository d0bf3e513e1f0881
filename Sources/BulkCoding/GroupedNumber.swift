/// Numbers and times as text for people.
extension Int64 {
  /// The number with thousands separators, as `1,234,567`.
  package var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}

extension Duration {
  /// The time in its two largest units, as `0.4s`, `12s`, `1m 03s` or `2h 05m`.
  ///
  /// Only times below 10 seconds have a decimal.
  package var short: String {
    let (whole, attoseconds) = components
    let tenths = whole * 10 + (attoseconds / 50_000_000_000_000_000 + 1) / 2
    guard tenths >= 100 else { return "\(tenths / 10).\(tenths % 10)s" }
    let seconds = whole + (attoseconds >= 500_000_000_000_000_000 ? 1 : 0)
    if seconds < 60 { return "\(seconds)s" }
    if seconds < 3600 { return "\(seconds / 60)m \(Self.twoDigits(seconds % 60))s" }
    return "\(seconds / 3600)h \(Self.twoDigits(seconds % 3600 / 60))m"
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
