/// The rate of finished rows and of all work, and the remaining time, estimated from observations.
struct ProgressPace: Sendable {
  /// The time in seconds after which an observation has lost half of its weight.
  private static let memory = 10.0
  /// The seconds that are observed before there is a forecast: the first one is often that of a beginning.
  private static let unsureSeconds = 2.0
  /// The number of forecasts that must agree before one is called steady.
  private static let forecastCount = 5

  private(set) var rowsPerSecond: Double?
  private(set) var bytesPerSecond: Double?
  private(set) var remaining: Duration?
  private var sharePerSecond: Double?
  private var first: Duration?
  private var last: (rows: Int64, share: Double?, bytes: Int64?, time: Duration)?
  private var expectedEnds: [Duration] = []

  /// Whether the latest forecasts differ by less than a tenth of the time that remains.
  var isSteady: Bool {
    guard let remaining, let first = expectedEnds.min(), let last = expectedEnds.max() else {
      return false
    }
    return expectedEnds.count == Self.forecastCount
      && last - first <= max(remaining / 10, .seconds(1))
  }

  /// Adds an observation, the number of finished rows at a time, the share of the work that is done and the bytes that
  /// were written, if known; those closer than a second count as one.
  mutating func record(
    _ rows: Int64,
    share: Double?,
    bytes: Int64? = nil,
    at time: Duration
  ) {
    guard let last else {
      (first, self.last) = (time, (rows, share, bytes, time))
      return
    }
    let seconds = (time - last.time) / .seconds(1)
    guard seconds >= 1 else { return }
    self.last = (rows, share, bytes, time)
    let known = (time - (first ?? last.time)) / .seconds(1)
    // An average at first, in which no second counts more than another.
    let weight = max(seconds / (seconds + Self.memory), seconds / known)
    func averaged(_ observed: Double, with before: Double?) -> Double {
      before.map { $0 + (observed - $0) * weight } ?? observed
    }
    rowsPerSecond = averaged(Double(rows - last.rows) / seconds, with: rowsPerSecond)
    bytesPerSecond = bytes.flatMap { bytes in
      last.bytes.map { averaged(Double(bytes - $0) / seconds, with: bytesPerSecond) }
    }
    sharePerSecond = share.flatMap { share in
      last.share.map { averaged((share - $0) / seconds, with: sharePerSecond) }
    }
    guard known >= Self.unsureSeconds else { return }
    forecast(share, at: time)
  }

  private mutating func forecast(_ share: Double?, at time: Duration) {
    guard let share, let sharePerSecond, sharePerSecond > 0 else {
      remaining = nil
      expectedEnds = []
      return
    }
    // A rate near zero would give more seconds than a duration holds.
    let left = Duration.seconds(min((1 - share) / sharePerSecond, 1e9))
    remaining = left
    expectedEnds = expectedEnds.suffix(Self.forecastCount - 1) + [time + left]
  }
}
