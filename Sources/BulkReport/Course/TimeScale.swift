internal import BulkCoding

/// The position of a moment of the working time in a picture.
struct TimeScale {
  var seconds: Double
  var left: Double
  var right: Double

  func x(_ moment: Double) -> Double {
    left + (seconds > 0 ? min(max(moment / seconds, 0), 1) : 0) * (right - left)
  }

  /// Moments at round distances, with their names; about as many as requested.
  func ticks(about count: Int) -> [(moment: Double, name: String)] {
    guard seconds > 0 else { return [] }
    let step = Self.roundStep(atLeast: seconds / Double(count))
    return stride(from: 0, through: seconds, by: step).map { ($0, Self.name(of: $0, step: step)) }
  }

  private static let steps = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600,
    7_200, 14_400, 28_800, 86_400,
  ]

  private static func roundStep(atLeast least: Double) -> Double {
    steps.first { $0 >= least } ?? (least / 86_400).rounded(.up) * 86_400
  }

  private static func name(of moment: Double, step: Double) -> String {
    if moment == 0 { return "0" }
    if step < 0.1 { return "\(Int((moment * 1000).rounded())) ms" }
    if step < 1 { return "\(Coordinate.text(moment)) s" }
    if moment < 60 { return "\(Int(moment.rounded())) s" }
    return Duration.seconds(moment).short
  }
}

/// A scale of values from 0 to a round number.
struct ValueScale {
  var most: Double
  var top: Double
  var bottom: Double

  func y(_ value: Double) -> Double {
    bottom - (most > 0 ? min(max(value / most, 0), 1) : 0) * (bottom - top)
  }

  /// The scale up to the next round number.
  init(upTo value: Double, top: Double, bottom: Double, isBinary: Bool = false) {
    (self.top, self.bottom) = (top, bottom)
    most = isBinary ? Self.roundBytes(value) : Self.roundNumber(value)
  }

  private static func roundNumber(_ value: Double) -> Double {
    guard value > 0 else { return 1 }
    var unit = 1.0
    while unit * 10 <= value { unit *= 10 }
    while unit > value { unit /= 10 }
    return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].first { $0 * unit >= value } ?? 10) * unit
  }

  private static func roundBytes(_ value: Double) -> Double {
    guard value > 0 else { return 1 }
    var unit = 1.0
    while unit * 1024 <= value { unit *= 1024 }
    return roundNumber(value / unit) * unit
  }
}
