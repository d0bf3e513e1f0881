internal import BulkCoding
internal import BulkPlan
internal import BulkPlatform

/// What stands between the work of an attempt and everybody who follows it: the caller, other processes, the record.
///
/// The work notes its progress after every batch and calls ``tick()`` often, on one thread; the legs of a route share
/// the monitor.
final class Monitor {
  private let events: MigrationEvents
  private let location: StateLocation
  private let plan: MigrationPlan

  /// Whether the attempt is further than every one before it.
  ///
  /// It is as soon as something is durable that no attempt has made: a transaction with its checkpoint, or a
  /// complete store.
  private(set) var hasHeadway: Bool
  /// The index of the running leg of a route.
  var leg = 0
  /// Of the store that is written.
  var passes = PassUses()

  /// Whether the requests of other processes are applied; those to an earlier attempt are discarded before.
  var isControlled = false
  private var control = RunControl()
  private var throttle: Throttle?
  private let controlInterval: Duration
  private var nextControl = SystemHost.current.instant()
  private static let pause = Duration.milliseconds(50)

  private var nextLive = SystemHost.current.instant() + Monitor.liveInterval
  private static let liveInterval = Duration.seconds(1)

  private var measures = MeasureRecord()
  /// The last progress, before it is a sample of the record.
  private var latest: MeasureRecord.Sample?
  /// The totals of the attempts before this one.
  private var before: (seconds: Double, read: Int64, written: Int64) = (0, 0, 0)
  private let start = SystemHost.current.instant()
  private let bytesBefore = ProcessUse.bytes

  /// A change in place is one transaction, and has no headway that a request to stop could wait for.
  init(
    _ migration: Migration,
    awaitsHeadway: Bool = true,
    controlInterval: Duration = .milliseconds(500)
  ) {
    (events, location, plan) = (migration.events, migration.stateLocation, migration.plan)
    hasHeadway = !awaitsHeadway
    self.controlInterval = controlInterval
    measures.attempts = [AttemptRecord(migration.memoryLimit, command: events.command)]
  }

  /// Reports the attempt's measures to the caller.
  func end() {
    if latest != nil || measures.samples.isEmpty { measure() }
    events.measured(record)
  }

  // MARK: Progress

  /// Takes the progress of the running leg.
  func note(_ progress: MigrationProgress) {
    let progress = plan.hasSeveralLegs ? progress.of(leg: leg, in: plan) : progress
    take(
      sample(progress.stage, step: progress.step, pass: progress.pass, rows: progress.rowsDone)
    )
    if SystemHost.current.instant() >= nextLive {
      nextLive = SystemHost.current.instant() + Self.liveInterval
      LiveProgress(progress).write(to: location)
    }
    events.report(progress)
  }

  /// Takes a checkpoint that counts from now on; `nil` where what was made durable has none.
  func noteHeadway(_ checkpoint: (number: Int64, rows: Int64)? = nil) {
    hasHeadway = true
    if let checkpoint { events.checkpointWritten(checkpoint.number, rowsBefore + checkpoint.rows) }
  }

  func note(_ pass: PassUse, of count: Int) { events.passDone(pass, count) }

  private var rowsBefore: Int64 {
    plan.hasSeveralLegs ? plan.rowsByLeg.prefix(leg).reduce(0, +) : 0
  }

  // MARK: Requests

  /// Waits as long as the run is paused or throttled, and returns the caller's request to stop, which ends every wait.
  func tick() -> StopRequest? {
    var paused: Duration?
    defer {
      if let paused { measures.note(pause: paused / .seconds(1)) }
    }
    while true {
      if let request = events.stopRequest() { return request }
      guard mustWait() else { return nil }
      let start = SystemHost.current.instant()
      SystemThread.pause(Self.pause)
      guard control.isPaused else { continue }
      paused = (paused ?? .zero) + start.duration(to: SystemHost.current.instant())
    }
  }

  private func mustWait() -> Bool {
    guard isControlled else { return false }
    if SystemHost.current.instant() >= nextControl {
      nextControl = SystemHost.current.instant() + controlInterval
      let found = ControlFile(location)?.control ?? RunControl()
      if found != control {
        control = found
        throttle = Throttle(after: throttle, bytesPerSecond: control.bytesPerSecond)
        events.requested(control)
      }
    }
    return control.isPaused || throttle?.mustWait() ?? false
  }

  // MARK: Measures

  /// The measures so far, in all attempts.
  var record: MeasureRecord {
    var record = measures
    record.attempts[record.attempts.count - 1].peakMemory = ProcessMemory.peak?.bytes
    return record
  }

  /// Continues the record of a checkpoint, unless this attempt wrote it, or a later one is continued already.
  func resume(after former: MeasureRecord?) {
    guard let former, former.isSound, var attempt = measures.attempts.last,
      former.attempts.last?.identity != attempt.identity,
      (former.attemptCount, former.seconds) > (measures.attemptCount - 1, before.seconds)
    else { return }
    attempt.from = former.seconds
    measures = former
    measures.add(attempt)
    latest = nil
    let last = former.samples.last
    before = (former.seconds, last?.bytesRead ?? 0, last?.bytesWritten ?? 0)
  }

  func note(segments: Int64, bytes: Int64) {
    measures.segments = max(measures.segments, segments)
    measures.segmentBytes = max(measures.segmentBytes, bytes)
  }

  /// Adds a sample of the work up to now, which belongs to what was reported last unless it is known better.
  @discardableResult
  func measure(
    _ stage: MigrationProgress.Stage? = nil,
    pass: Int? = nil,
    rows: Int64? = nil
  ) -> MeasureRecord {
    let last = latest ?? measures.samples.last
    take(
      sample(
        stage ?? last?.stage ?? .rows,
        step: stage == nil ? last?.step ?? leg + 1 : leg + 1,
        pass: pass ?? last?.pass ?? 1,
        rows: rows.map { rowsBefore + $0 } ?? last?.rows ?? 0
      )
    )
    if let latest { measures.add(latest) }
    latest = nil
    return record
  }

  private func sample(
    _ stage: MigrationProgress.Stage,
    step: Int,
    pass: Int,
    rows: Int64
  ) -> MeasureRecord.Sample {
    let bytes = ProcessUse.bytes
    return MeasureRecord.Sample(
      seconds: before.seconds + (SystemHost.current.instant() - start) / .seconds(1),
      stage: stage,
      step: step,
      pass: pass,
      rows: rows,
      memoryBytes: ProcessMemory.resident?.bytes ?? 0,
      bytesRead: before.read + max((bytes.read ?? 0) - (bytesBefore.read ?? 0), 0),
      bytesWritten: before.written + max((bytes.written ?? 0) - (bytesBefore.written ?? 0), 0)
    )
  }

  /// In place of the last one of the same work; what other work has done is recorded.
  private func take(_ sample: MeasureRecord.Sample) {
    var sample = sample
    if let latest, latest.isOfSameWork(as: sample) {
      sample.memoryBytes = max(latest.memoryBytes, sample.memoryBytes)
    } else if let latest {
      measures.add(latest)
    }
    latest = sample
  }
}

extension MigrationProgress {
  fileprivate func of(leg index: Int, in plan: MigrationPlan) -> MigrationProgress {
    var progress = self
    let rows = plan.rowsByLeg
    let rowsBefore = rows.prefix(index).reduce(0, +)
    let isLast = index + 1 == rows.count
    let all = Double(rows.reduce(0, +))
    progress.share =
      all > 0 ? share.map { (Double(rowsBefore) + $0 * Double(rows[index])) / all } : nil
    progress.step = index + 1
    progress.stepCount = rows.count
    progress.rowsDone += rowsBefore
    progress.rowsTotal += rowsBefore + rows.dropFirst(index + 1).reduce(0, +)
    progress.isUpperBound = isUpperBound || !isLast && plan.isUpperBound
    return progress
  }
}
