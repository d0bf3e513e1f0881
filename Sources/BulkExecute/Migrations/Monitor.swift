internal import BulkSupport
internal import BulkPlan

/// Tells the caller, other processes and the record what an attempt does, and the attempt what they request.
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
  private(set) var hasProgress: Bool
  /// The running leg of a route, its plan, and the rows that the legs before it wrote.
  private var leg: (index: Int, plan: MigrationPlan, rowsBefore: Int64)
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

  /// A change in place is one transaction, and has no progress that a request to stop could wait for.
  init(
    _ migration: Migration,
    awaitsProgress: Bool = true,
    controlInterval: Duration = .milliseconds(500)
  ) {
    (events, location, plan) = (migration.events, migration.stateLocation, migration.plan)
    leg = (0, migration.plan, 0)
    hasProgress = !awaitsProgress
    self.controlInterval = controlInterval
    measures.attempts = [AttemptRecord(migration.memoryLimit, command: events.command)]
  }

  /// Reports the attempt's measures to the caller.
  func end() {
    if latest != nil || measures.samples.isEmpty { measure() }
    events.measured(record)
  }

  func begin(leg index: Int, by plan: MigrationPlan, after rowsBefore: Int64) {
    leg = (index, plan, rowsBefore)
  }

  // MARK: Progress

  /// Takes the progress of the running leg.
  func note(_ progress: MigrationProgress) {
    let progress = plan.hasSeveralLegs ? ofRoute(progress) : progress
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
  func noteProgress(_ checkpoint: (number: Int64, rows: Int64)? = nil) {
    hasProgress = true
    if let checkpoint {
      events.checkpointWritten(checkpoint.number, leg.rowsBefore + checkpoint.rows)
    }
  }

  func note(_ pass: PassUse, of count: Int) { events.passDone(pass, count) }

  /// The progress of a route by that of a leg, after which later ones are taken to write as many rows as it.
  private func ofRoute(_ progress: MigrationProgress) -> MigrationProgress {
    var route = progress
    let count = plan.legs.count
    let later = Int64(count - 1 - leg.index) * leg.plan.rows
    let all = Double(leg.rowsBefore + leg.plan.rows + later)
    route.share =
      all > 0
      ? progress.share.map { (Double(leg.rowsBefore) + $0 * Double(leg.plan.rows)) / all } : nil
    route.step = leg.index + 1
    route.stepCount = count
    route.rowsDone += leg.rowsBefore
    route.rowsTotal += leg.rowsBefore + later
    route.isUpperBound = progress.isUpperBound || later > 0 && leg.plan.isUpperBound
    return route
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

  /// The measures so far, of all attempts.
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
        step: stage == nil ? last?.step ?? leg.index + 1 : leg.index + 1,
        pass: pass ?? last?.pass ?? 1,
        rows: rows.map { leg.rowsBefore + $0 } ?? last?.rows ?? 0
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
