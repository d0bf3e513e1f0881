import BulkCoding
import BulkExecute
import BulkPlatform

/// What `status --watch` prints of a running migration.
struct WatchLine {
  let record: MigrationRecord
  let now: Date

  /// Prints a line a second while a process works on the migration.
  static func `repeat`(_ output: Output, _ read: () -> MigrationRecord) {
    let time = Platform.elapsedTime()
    var pace = ProgressPace()
    while true {
      let record = read()
      guard record.state == .running, !output.isUnread else { return }
      let progress = TaskProgress(record)
      pace.record(progress.done, share: progress.shareDone, at: time())
      let watch = WatchLine(record: record, now: SystemHost.current.now())
      let began = record.attempts.last.map { watch.now.timeIntervalSinceReferenceDate - $0.began }
      let elapsed = Duration.seconds(max(began ?? 0, 0))
      let line = ProgressLine.text(progress, pace: pace, elapsed: elapsed, width: nil)
      output.note("\(line)  \(watch.text)")
      Failpoint.reached(.watched)
      SystemThread.pause(.seconds(1))
    }
  }

  /// The age of the last checkpoint, as `checkpoint 3, 0.4s ago`.
  var text: String {
    guard let number = record.checkpoint else { return "no checkpoint yet" }
    guard let age else { return "checkpoint \(number)" }
    return
      "checkpoint \(number), \(Duration.seconds(age).short) ago\(isStalled ? ": no progress since" : "")"
  }

  /// The seconds since the last sample of the last checkpoint.
  private var age: Double? {
    guard let course = record.measures, let attempt = course.attempts.last else { return nil }
    let last = attempt.began + course.seconds - attempt.from
    return max(now.timeIntervalSinceReferenceDate - last, 0)
  }

  /// Whether the last checkpoint is much older than the usual interval.
  private var isStalled: Bool {
    // The time that an index over many rows may take, in seconds.
    let patience = 60.0
    guard let age, age > patience, let course = record.measures, let number = record.checkpoint,
      number > 0
    else { return false }
    return age > 20 * course.seconds / Double(number)
  }
}
