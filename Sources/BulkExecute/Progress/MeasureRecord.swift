package import BulkSupport

/// The measurements of a migration in all its attempts; bounded in size.
///
/// It is kept with every checkpoint, so it survives a kill. Time is working time; the time between
/// two attempts does not count.
package struct MeasureRecord: Codable, Hashable, Sendable {
  /// The work since the last sample, which was taken at a checkpoint, or at the end of a stage, a pass or a leg.
  package struct Sample: Codable, Hashable, Sendable {
    /// The working time at its end, in seconds.
    package var seconds: Double
    package var stage: MigrationProgress.Stage
    /// The step of a route, from 1.
    package var step = 1
    /// The pass of the step, from 1.
    package var pass = 1
    /// The rows written so far, of all steps and passes.
    package var rows: Int64
    /// The greatest memory of the process after one of its batches, in bytes; 0 where the system does not report it.
    package var memoryBytes: Int64
    /// The bytes read so far, of all attempts; 0 where the system does not report them.
    package var bytesRead: Int64
    /// The bytes written so far, of all attempts; 0 where the system does not report them.
    package var bytesWritten: Int64

    func isOfSameWork(as other: Self) -> Bool {
      stage == other.stage && step == other.step && pass == other.pass
    }
  }

  /// The attempts, in order; at most ``attemptLimit``.
  package var attempts: [AttemptRecord] = []
  /// The samples, in order of time; at most ``sampleLimit``.
  package var samples: [Sample] = []
  package var segments: Int64 = 0
  package var segmentBytes: Int64 = 0
  package static let sampleLimit = 120
  package static let attemptLimit = 64

  package init() {}

  /// The working time so far, in seconds.
  package var seconds: Double { samples.last?.seconds ?? 0 }

  package var peakMemory: ByteCount? {
    let peaks = attempts.compactMap(\.peakMemory) + samples.map(\.memoryBytes)
    return peaks.max().flatMap { $0 > 0 ? ByteCount(bytes: $0) : nil }
  }

  /// Whether a record that was read from a file can be one that a migration wrote: within its limits, in order of time,
  /// and with numbers that can be added.
  package var isSound: Bool {
    let times = [0] + samples.map(\.seconds) + [Self.longest]
    let counts = samples.flatMap { [$0.rows, $0.memoryBytes, $0.bytesRead, $0.bytesWritten] }
    return samples.count <= Self.sampleLimit && attempts.count <= Self.attemptLimit
      && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
      && (counts + [segments, segmentBytes]).allSatisfy { (0...1 << 56).contains($0) }
      && attempts.allSatisfy {
        (0...Self.longest).contains($0.from) && (0...1 << 32).contains($0.omitted)
      }
  }

  /// A hundred years, in seconds.
  private static let longest = 3_155_760_000.0

  package var attemptCount: Int { attempts.reduce(0) { $0 + 1 + $1.omitted } }

  /// The second attempt makes place for one too many, so that the first and the newest stay.
  mutating func add(_ attempt: AttemptRecord) {
    attempts.append(attempt)
    guard attempts.count > Self.attemptLimit else { return }
    attempts[0].omitted += 1 + attempts.remove(at: 1).omitted
  }

  /// Of too many samples the two neighbors of the same work that are closest become one, with the greater memory.
  mutating func add(_ sample: Sample) {
    samples.append(sample)
    guard samples.count > Self.sampleLimit else { return }
    let gaps = zip(samples, samples.dropFirst()).map { first, second in
      first.isOfSameWork(as: second) ? second.seconds - first.seconds : .infinity
    }
    guard let index = gaps.indices.min(by: { gaps[$0] < gaps[$1] }) else { return }
    let merged = samples.remove(at: index)
    samples[index].memoryBytes = max(samples[index].memoryBytes, merged.memoryBytes)
  }

  mutating func note(pause seconds: Double) {
    let last = attempts.count - 1
    attempts[last].pauses = (attempts[last].pauses ?? 0) + 1
    attempts[last].pausedSeconds = (attempts[last].pausedSeconds ?? 0) + seconds
  }
}

/// A process that worked on the migration.
package struct AttemptRecord: Codable, Hashable, Sendable {
  package var identity: String
  /// When it began, in seconds since 2001-01-01 00:00:00 UTC.
  package var began: Double
  /// The working time of the attempts before it, in seconds.
  package var from: Double
  /// Its memory limit, in bytes.
  package var memoryLimit: Int64
  /// The peak of its memory so far, in bytes; absent where the system does not report it.
  package var peakMemory: Int64?
  package var tool: String
  package var system: String
  /// The command line, at most ``commandLimit`` characters of it; absent where there is none.
  package var command: String?
  /// How often it was paused on request, and for how many seconds; absent where it never was.
  package var pauses: Int?
  package var pausedSeconds: Double?
  /// How many attempts after it were left out of the record because there are too many.
  package var omitted = 0
  static let commandLimit = 1_000
}

extension AttemptRecord {
  /// The attempt of this process, which begins now.
  init(_ memoryLimit: ByteCount, command: String?) {
    let host = SystemHost.current
    let count = host.processors()
    self.init(
      identity: host.identifier(),
      began: host.now().timeIntervalSinceReferenceDate,
      from: 0,
      memoryLimit: memoryLimit.bytes,
      tool: ToolVersion.withLibrary,
      system: "\(host.systemVersion()), \(count) \(count == 1 ? "processor" : "processors")",
      command: command.map { String($0.prefix(Self.commandLimit)) }
    )
  }
}
