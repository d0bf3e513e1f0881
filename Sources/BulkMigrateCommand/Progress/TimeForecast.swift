/// The time that a migration will still take, by earlier runs on this machine and by its own rate.
///
/// Earlier runs show how the time of a migration compares with what its plan estimates, and how long the work after
/// the last row takes. The farther the run is, the more its own rate counts.
struct TimeForecast: Sendable {
  /// The time of all work in seconds.
  private let whole: ClosedRange<Double>
  /// The time after the last row, as a share of the time of all rows.
  private let tail: ClosedRange<Double>
  private var first: (time: Double, rows: Int64, share: Double)?
  /// When the last row was written, and the time of all rows in seconds.
  private var rowsDone: (time: Double, seconds: Double)?
  /// The bounds of the time left, in seconds; `nil` until there is an estimate.
  private(set) var left: ClosedRange<Double>?

  /// The minimum number of earlier runs for an estimate.
  private static let fewest = 2
  /// The maximum number of runs that count, the last ones.
  private static let most = 8
  /// Runs whose estimates differ by more than this factor are not comparable.
  private static let reach = 20.0
  /// The share of all rows after which only the rate counts.
  private static let evidence = 0.25

  /// A forecast by earlier runs, oldest first; `nil` if too few have this kind and a similar
  /// estimate.
  init?(after runs: [RunHistory.Run], kind: String, estimatedSeconds: Double) {
    let alike = runs.filter { run in
      let ratio = run.estimatedSeconds / estimatedSeconds
      return run.kind == kind && ratio < Self.reach && ratio > 1 / Self.reach
    }.suffix(Self.most)
    let ratios = alike.map { $0.seconds / $0.estimatedSeconds }
    let tails = alike.map { ($0.seconds - $0.rowSeconds) / $0.rowSeconds }
    guard alike.count >= Self.fewest, let least = ratios.min(), let greatest = ratios.max(),
      let shortest = tails.min(), let longest = tails.max()
    else { return nil }
    whole = estimatedSeconds * least * 0.9...estimatedSeconds * greatest * 1.1
    tail = shortest...longest
  }

  /// Adds an observation at a time.
  mutating func note(_ snapshot: ProgressSnapshot, at time: Duration) {
    let now = time / .seconds(1)
    let first = first ?? (now, snapshot.rowsDone, snapshot.share ?? 0)
    self.first = first
    guard snapshot.rowsTotal > 0 else { return }
    let (done, total) = (Double(snapshot.rowsDone), Double(snapshot.rowsTotal))
    let rate = now > first.time ? (done - Double(first.rows)) / (now - first.time) : 0
    guard !snapshot.followsRows || snapshot.stepCount > 1 else {
      let end = rowsDone ?? (now, rate > 0 ? total / rate : now - first.time)
      rowsDone = end
      let most = tail.upperBound * end.seconds - (now - end.time)
      left =
        most > 0
        ? max(tail.lowerBound * end.seconds - (now - end.time), 0)...most : nil
      return
    }
    guard done <= total else {
      left = nil
      return
    }
    if snapshot.isUpperBound, let share = snapshot.share {
      return noteWork(share, from: first, at: now)
    }
    let share = done / total
    let weight = rate > 0 ? min((share - Double(first.rows) / total) / Self.evidence, 1) : 0
    let ends = zip([whole.lowerBound, whole.upperBound], [tail.lowerBound, tail.upperBound])
    let known = ends.map { $0 * (1 - share / (1 + $1)) }
    // Rates change by as much on the way.
    let seen = zip([tail.lowerBound, tail.upperBound], [0.85, 1.15]).map { tail, factor in
      rate > 0 ? factor * (total - done + tail * total) / rate : 0
    }
    let least = known[0] * (1 - weight) + seen[0] * weight
    // There may be fewer rows than the plan can know of.
    let low = snapshot.isUpperBound ? least / 2 : least
    left = low...max(known[1] * (1 - weight) + seen[1] * weight, low)
  }

  /// Notes the share of the work that is done, where the number of rows is not known.
  private mutating func noteWork(
    _ share: Double,
    from first: (time: Double, rows: Int64, share: Double),
    at now: Double
  ) {
    let grown = share - first.share
    let seen = grown > 0 ? (1 - share) * (now - first.time) / grown : 0
    let weight = grown > 0 ? min(grown / Self.evidence, 1) : 0
    let least = whole.lowerBound * (1 - share) * (1 - weight) + 0.75 * seen * weight
    let most = whole.upperBound * (1 - share) * (1 - weight) + 1.25 * seen * weight
    left = least...max(most, least)
  }
}

/// A range of time that is left, as text.
enum TimeLeftText {
  /// A range in seconds with the unit that fits its end, as `4 to 7 min left`.
  static func text(_ left: ClosedRange<Double>) -> String {
    let (least, most) = (left.lowerBound, left.upperBound)
    if most < 10 { return "less than 10 s left" }
    if most < 90 { return text(least, most, in: 5, as: "s", of: 1) }
    if most < 5_400 { return text(least, most, in: 60, as: "min", of: 60) }
    return text(least, most, in: 1_800, as: "h", of: 3_600)
  }

  /// The range in whole steps: the least rounded down and the most rounded up.
  private static func text(
    _ least: Double,
    _ most: Double,
    in step: Double,
    as unit: String,
    of seconds: Double
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

/// The rate of finished rows and of all work, and the remaining time, estimated from observations.
struct ProgressPace: Sendable {
  /// The time in seconds after which an observation has lost half of its weight.
  private static let memory = 10.0
  /// The seconds that are observed before there is a forecast: the first one is often that of a beginning.
  private static let unsureSeconds = 2.0
  /// The number of forecasts that must agree before one is called steady.
  private static let forecastCount = 5

  /// The rate of the last seconds; `nil` before two observations.
  private(set) var rowsPerSecond: Double?
  /// The time until the end of the work at its rate; `nil` without a rate.
  private(set) var remaining: Duration?
  private var sharePerSecond: Double?
  private var first: Duration?
  private var last: (rows: Int64, share: Double?, time: Duration)?
  private var expectedEnds: [Duration] = []

  /// Whether the latest forecasts differ by less than a tenth of the time that remains.
  var isSteady: Bool {
    guard let remaining, let first = expectedEnds.min(), let last = expectedEnds.max() else {
      return false
    }
    return expectedEnds.count == Self.forecastCount
      && last - first <= max(remaining / 10, .seconds(1))
  }

  /// Adds an observation, the number of finished rows at a time and the share of the work that is done, if known;
  /// those closer than a second count as one.
  mutating func record(_ rows: Int64, share: Double?, at time: Duration) {
    guard let last else {
      (first, self.last) = (time, (rows, share, time))
      return
    }
    let seconds = (time - last.time) / .seconds(1)
    guard seconds >= 1 else { return }
    self.last = (rows, share, time)
    let known = (time - (first ?? last.time)) / .seconds(1)
    // An average at first, in which no second counts more than another.
    let weight = max(seconds / (seconds + Self.memory), seconds / known)
    func averaged(_ observed: Double, with before: Double?) -> Double {
      before.map { $0 + (observed - $0) * weight } ?? observed
    }
    rowsPerSecond = averaged(Double(rows - last.rows) / seconds, with: rowsPerSecond)
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
