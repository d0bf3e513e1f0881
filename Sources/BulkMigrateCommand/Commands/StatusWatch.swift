import BulkCoding
import BulkExecute
import BulkPlatform

/// What `status --watch` prints of a running migration, by its checkpoints.
struct WatchLine {
  let status: MigrationStatus
  let now: Date

  /// Prints a line a second while a process works on the migration.
  static func `repeat`(_ output: Output, _ read: () -> MigrationStatus) {
    while true {
      let status = read()
      guard status.state == .running, !output.isUnread else { return }
      output.note(WatchLine(status: status, now: SystemHost.current.now()).text)
      Failpoint.reached(.watched)
      SystemThread.pause(.seconds(1))
    }
  }

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
