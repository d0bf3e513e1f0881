/// The rate of finished rows, and the remaining time, estimated from observations.
struct ProgressPace: Sendable {
  /// The time in seconds after which an observation has lost half of its weight.
  private static let memory = 10.0
  /// The number of forecasts that must agree before one is called steady.
  private static let forecastCount = 5

  /// The rate of the last seconds; `nil` before two observations.
  private(set) var rowsPerSecond: Double?
  /// The time until the last row at this rate; `nil` without a rate.
  private(set) var remaining: Duration?
  private var last: (rows: Int64, time: Duration)?
  private var expectedEnds: [Duration] = []

  /// Whether the latest forecasts differ by less than a tenth of the time that remains.
  var isSteady: Bool {
    guard let remaining, let first = expectedEnds.min(), let last = expectedEnds.max() else {
      return false
    }
    return expectedEnds.count == Self.forecastCount
      && last - first <= max(remaining / 10, .seconds(1))
  }

  /// Adds an observation, the number of finished rows at a time; those closer than a second count as one.
  mutating func record(_ rows: Int64, of total: Int64, at time: Duration) {
    guard let last else {
      self.last = (rows, time)
      return
    }
    let seconds = (time - last.time) / .seconds(1)
    guard seconds >= 1 else { return }
    self.last = (rows, time)
    let observed = Double(rows - last.rows) / seconds
    let weight = seconds / (seconds + Self.memory)
    let pace = rowsPerSecond.map { $0 + (observed - $0) * weight } ?? observed
    rowsPerSecond = pace
    forecast(rowsLeft: total - rows, pace: pace, at: time)
  }

  private mutating func forecast(rowsLeft: Int64, pace: Double, at time: Duration) {
    // Policies may make more rows than a plan can predict.
    guard pace > 0, rowsLeft >= 0 else {
      remaining = nil
      expectedEnds = []
      return
    }
    // A rate near zero would give more seconds than a duration holds.
    let left = Duration.seconds(min(Double(rowsLeft) / pace, 1e9))
    remaining = left
    expectedEnds = expectedEnds.suffix(Self.forecastCount - 1) + [time + left]
  }
}
