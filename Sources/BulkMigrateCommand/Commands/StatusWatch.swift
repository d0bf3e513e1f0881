import BulkCoding
import BulkExecute
import BulkPlan
import BulkPlatform

/// Follows a running migration from outside, by its checkpoints.
struct StatusWatch {
  private let read: () throws -> MigrationStatus
  private let history: RunHistory
  private var forecast: (plan: String, time: TimeForecast?)?

  init(after history: RunHistory, _ read: @escaping () throws -> MigrationStatus) {
    self.history = history
    self.read = read
  }

  /// Prints a line a second while a process works on the migration.
  mutating func run(_ output: Output) throws {
    let time = Platform.elapsedTime()
    while true {
      let status = try read()
      guard status.state == .running, !output.isUnread else { return }
      let left = left(status, at: time())
      output.note(WatchLine(status: status, left: left, now: SystemHost.current.now()).text)
      Failpoint.reached(.watched)
      SystemThread.pause(.seconds(1))
    }
  }

  /// The time left by earlier runs, and by the rate since this began to watch.
  private mutating func left(
    _ status: MigrationStatus,
    at time: Duration
  ) -> ClosedRange<Double>? {
    guard let plan = status.plan, let snapshot = ProgressSnapshot(status) else { return nil }
    if forecast?.plan != plan.fingerprint {
      forecast = (plan.fingerprint, TimeForecast(after: history, for: plan))
    }
    forecast?.time?.note(snapshot, at: time)
    return forecast?.time?.left
  }
}

extension ProgressSnapshot {
  /// The progress of a migration that another process works on; `nil` if it is unknown.
  fileprivate init?(_ status: MigrationStatus) {
    guard let rows = status.rowsWritten ?? status.rowsDone, let total = status.rowsTotal else {
      return nil
    }
    self.init(
      stepCount: status.plan?.route?.ranges.count ?? 1,
      pass: 1,
      passCount: 1,
      stage: status.stage ?? "",
      rowsDone: rows,
      rowsTotal: total,
      isUpperBound: status.isUpperBound,
      share: status.share
    )
    followsRows =
      status.isFinished
      || status.stage.flatMap { MigrationProgress.Stage(rawValue: $0) }?.followsRows == true
  }
}

struct WatchLine {
  let status: MigrationStatus
  /// The time that is left in seconds, by earlier runs; `nil` to estimate it by the rate alone.
  let left: ClosedRange<Double>?
  let now: Date

  /// The line, as `1,500,000 of 3,000,000 rows 50%  300,000 rows/s  ETA ~5.0s  40 MiB of 64 MiB  checkpoint 3, 0.4s ago`.
  var text: String {
    [
      rows, rate.map { "\(Int64($0).grouped) rows/s" }, timeLeft, memory, checkpoint,
      stall,
    ]
    .compactMap(\.self).joined(separator: "  ")
  }

  private var rows: String {
    let written = status.rowsWritten ?? status.rowsDone
    let done = (written ?? 0).grouped
    guard let total = status.rowsTotal, let rows = written, rows <= total else {
      return "\(done) rows"
    }
    let most = status.isUpperBound ? "at most " : ""
    let part =
      status.share.map { "  \(NumberText.percent($0)) done" }
      ?? " \(NumberText.percent(rows, of: total))"
    return "\(done) of \(most)\(total.grouped) rows\(part)"
  }

  /// The rows a second in the latter half of the attempt.
  private var rate: Double? {
    guard let record = status.measures, let attempt = record.attempts.last else { return nil }
    let middle = (attempt.from + record.seconds) / 2
    let known = record.samples.filter { $0.rows != nil && $0.seconds >= middle }
    guard let first = known.first, let last = known.last, last.seconds > first.seconds,
      let before = first.rows, let after = last.rows, after > before
    else { return nil }
    return Double(after - before) / (last.seconds - first.seconds)
  }

  private var timeLeft: String? {
    if let left { return TimeLeftText.text(left) }
    guard let rate, let total = status.rowsTotal, let done = status.rowsWritten ?? status.rowsDone,
      total > done
    else { return nil }
    return "ETA ~\(Duration.seconds(Double(total - done) / rate).short)"
  }

  private var memory: String? {
    guard let record = status.measures, let last = record.samples.last, last.memoryBytes > 0,
      let limit = record.attempts.last?.memoryLimit
    else { return nil }
    return "\(ByteCount(bytes: last.memoryBytes)) of \(ByteCount(bytes: limit))"
  }

  private var checkpoint: String? {
    guard let number = status.checkpoint else { return "no checkpoint yet" }
    guard let age else { return "checkpoint \(number)" }
    return "checkpoint \(number), \(Duration.seconds(age).short) ago"
  }

  /// The seconds since the last sample of the last checkpoint.
  private var age: Double? {
    guard let record = status.measures, let attempt = record.attempts.last else { return nil }
    let last = attempt.began + record.seconds - attempt.from
    return max(now.timeIntervalSinceReferenceDate - last, 0)
  }

  /// A sentence if the last checkpoint is much older than the usual interval.
  private var stall: String? {
    guard let age, age > Self.patience, let record = status.measures,
      let number = status.checkpoint,
      number > 0, age > 20 * record.seconds / Double(number)
    else { return nil }
    return "no headway for \(Duration.seconds(age).short)"
  }

  /// The time that an index over many rows may take, in seconds.
  private static let patience = 60.0
}
