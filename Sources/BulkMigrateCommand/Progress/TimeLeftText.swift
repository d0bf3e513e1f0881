/// A range of time that is left, as text.
enum TimeLeftText {
  /// The range with the unit that fits its end, as `4 to 7 min left`.
  ///
  /// - Parameter left: The least and the most time in seconds.
  /// - Returns: The text.
  static func text(_ left: ClosedRange<Double>) -> String {
    let (least, most) = (left.lowerBound, left.upperBound)
    if most < 10 { return "less than 10 s left" }
    if most < 90 { return text(least, most, in: 5, "s", 1) }
    if most < 5_400 { return text(least, most, in: 60, "min", 60) }
    return text(least, most, in: 1_800, "h", 3_600)
  }

  /// The range in whole steps: the least rounded down and the most rounded up.
  private static func text(
    _ least: Double,
    _ most: Double,
    in step: Double,
    _ unit: String,
    _ seconds: Double
  ) -> String {
    let low = (least / step).rounded(.down) * step / seconds
    let high = (most / step).rounded(.up) * step / seconds
    if low == 0 { return "up to \(number(high)) \(unit) left" }
    guard low < high else { return "about \(number(high)) \(unit) left" }
    return "\(number(low)) to \(number(high)) \(unit) left"
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int64(value))" : "\(value)"
  }
}
