package import BulkCoding
internal import BulkPlatform
internal import Synchronization

/// Takes the measures of one attempt, and puts them behind those of the attempts before it.
package final class MeasureRecorder: Sendable {
  private struct State {
    var earlier = MeasureRecord()
    /// Its time begins with 0.
    var own = MeasureRecord()
    /// The beginning of the attempt, and the bytes that the process had read and written by then.
    let start = SystemHost.current.instant()
    let readBefore = ProcessUse.bytesRead ?? 0
    let writtenBefore = ProcessUse.bytesWritten ?? 0

    var now: Double { (SystemHost.current.instant() - start) / .seconds(1) }

    func sample(at seconds: Double) -> MeasureRecord.Sample {
      let bytes = ProcessUse.bytes
      return MeasureRecord.Sample(
        seconds: seconds,
        memoryBytes: ProcessMemory.resident?.bytes ?? 0,
        bytesRead: max((bytes.read ?? 0) - readBefore, 0),
        bytesWritten: max((bytes.written ?? 0) - writtenBefore, 0)
      )
    }

    mutating func notePeak() { own.attempts[0].peakMemory = ProcessMemory.peak?.bytes }
  }

  private let state = Mutex(State())

  package init(memoryLimit: ByteCount, command: String? = nil) {
    let attempt = AttemptRecord(
      identity: SystemHost.current.identifier(),
      began: SystemHost.current.now().timeIntervalSinceReferenceDate,
      from: 0,
      memoryLimit: memoryLimit.bytes,
      tool: ToolVersion.withLibrary,
      system: Self.system,
      command: command.map { String($0.prefix(MeasureRecord.commandLimit)) }
    )
    state.withLock { state in
      state.own.attempts = [attempt]
      state.own.samples = [state.sample(at: 0)]
      state.own.samples[0].rows = 0
    }
  }

  private static var system: String {
    let host = SystemHost.current
    let count = host.processors()
    return
      "\(host.systemVersion()), \(count) \(count == 1 ? "processor" : "processors")"
  }

  package var record: MeasureRecord {
    state.withLock { state in
      state.notePeak()
      return state.earlier.followed(by: state.own)
    }
  }

  /// Continues the record of a checkpoint, unless this attempt wrote it, or a later one is continued already.
  func resume(after record: MeasureRecord?, with rows: Int64) {
    guard let record else { return }
    state.withLock { state in
      guard record.attempts.last?.identity != state.own.attempts[0].identity,
        (record.attemptCount, record.seconds)
          > (state.earlier.attemptCount, state.earlier.seconds)
      else { return }
      state.earlier = record
      state.own.samples[0].rows = rows
    }
  }

  func note(segments: Int64, bytes: Int64) {
    state.withLock { state in
      state.own.segments = max(state.own.segments, segments)
      state.own.segmentBytes = max(state.own.segmentBytes, bytes)
    }
  }

  func note(_ progress: MigrationProgress) {
    state.withLock { state in
      var sample = state.sample(at: state.now)
      sample.stage = progress.stage
      sample.step = progress.step
      sample.pass = progress.pass
      sample.rows = progress.rowsDone
      state.own.take(sample)
    }
  }

  func note(pause seconds: Double) {
    state.withLock { state in
      state.own.attempts[0].pauses = (state.own.attempts[0].pauses ?? 0) + 1
      state.own.attempts[0].pausedSeconds =
        (state.own.attempts[0].pausedSeconds ?? 0) + seconds
    }
  }

  func end() {
    state.withLock { state in
      guard let last = state.own.samples.last(where: { $0.stage != nil }) else { return }
      var sample = state.sample(at: state.now)
      (sample.stage, sample.step, sample.pass) = (last.stage, last.step, last.pass)
      sample.rows = last.rows
      state.own.take(sample)
    }
  }

  func tick() {
    state.withLock { state in
      let time = state.now
      guard time - state.own.seconds >= state.own.interval else { return }
      state.own.take(state.sample(at: time))
    }
  }
}

extension MeasureRecord {
  /// The minimum time between two samples of the same kind; it grows with the record, so that its
  /// size does not.
  fileprivate var interval: Double { max(0.01, seconds / 200) }

  /// In place of the last sample where the two are close and of the same kind.
  fileprivate mutating func take(_ sample: Sample) {
    guard sample.seconds >= seconds else { return }
    if samples.count > 1, let last = samples.last, last.isOfSameKind(as: sample),
      last.seconds - samples[samples.count - 2].seconds < interval
    {
      samples[samples.count - 1] = last.merged(with: sample)
    } else {
      samples.append(sample)
      thin()
    }
  }
}

extension MeasureRecord.Sample {
  fileprivate func isOfSameKind(as other: Self) -> Bool {
    stage == other.stage && step == other.step && pass == other.pass
  }
}
