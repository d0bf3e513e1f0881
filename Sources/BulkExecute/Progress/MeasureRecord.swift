package import BulkCoding

/// The measurements of a migration in all its attempts; bounded in size.
///
/// It is kept with every checkpoint, so it survives a kill. Time is working time; the time between
/// two attempts does not count.
package struct MeasureRecord: Hashable, Sendable {
  /// The measurements at one moment.
  package struct Sample: Hashable, Sendable {
    /// The working time, in seconds.
    package var seconds: Double
    /// The stage up to this moment; `nil` between two reports of progress.
    package var stage: MigrationProgress.Stage?
    /// The step of a route, from 1.
    package var step = 1
    /// The pass of the step, from 1.
    package var pass = 1
    /// The rows written so far, in all steps and passes; `nil` between two reports of progress.
    package var rows: Int64?
    /// The peak memory of the process since the sample before, in bytes; 0 where the system does
    /// not report it.
    package var memoryBytes: Int64
    /// The bytes read so far, in all attempts; 0 where the system does not report them.
    package var bytesRead: Int64
    /// The bytes written so far, in all attempts; 0 where the system does not report them.
    package var bytesWritten: Int64
  }

  /// The attempts, in order; at most ``attemptLimit``.
  package var attempts: [AttemptRecord] = []
  /// The samples, in order of time; at most ``sampleLimit``.
  package var samples: [Sample] = []
  package var segments: Int64 = 0
  package var segmentBytes: Int64 = 0
  package static let sampleLimit = 240
  package static let attemptLimit = 64
  package static let commandLimit = 1_000

  package init() {}

  /// The working time so far, in seconds.
  package var seconds: Double { samples.last?.seconds ?? 0 }

  package var peakMemory: ByteCount? {
    let peaks = attempts.compactMap(\.peakMemory) + samples.map(\.memoryBytes)
    return peaks.max().flatMap { $0 > 0 ? ByteCount(bytes: $0) : nil }
  }

  package var attemptCount: Int { attempts.reduce(0) { $0 + 1 + $1.omitted } }
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
  /// The command line, at most ``MeasureRecord/commandLimit`` characters of it; absent where there is none.
  package var command: String?
  /// How often it was paused on request, and for how many seconds in all; absent where it never was.
  package var pauses: Int?
  package var pausedSeconds: Double?
  /// How many attempts after it were left out of the record because there are too many.
  package var omitted = 0
}

extension MeasureRecord {
  /// The record followed by another one, of an attempt that it does not contain.
  func followed(by later: MeasureRecord) -> MeasureRecord {
    var whole = self
    let (time, last) = (seconds, samples.last)
    whole.attempts += later.attempts.map { attempt in
      var attempt = attempt
      attempt.from += time
      return attempt
    }
    whole.samples += later.samples.map { sample in
      var sample = sample
      sample.seconds += time
      sample.bytesRead += last?.bytesRead ?? 0
      sample.bytesWritten += last?.bytesWritten ?? 0
      return sample
    }
    whole.segments = max(segments, later.segments)
    whole.segmentBytes = max(segmentBytes, later.segmentBytes)
    whole.thin()
    return whole
  }

  /// Halves oversized lists; peaks, the beginnings of attempts and the last sample stay.
  mutating func thin() {
    while attempts.count > Self.attemptLimit { halveAttempts() }
    guard samples.count > Self.sampleLimit else { return }
    halveSamples(keeping: attempts.map(\.from))
    // With many short attempts, everything is the beginning of one.
    while samples.count > Self.sampleLimit { halveSamples(keeping: []) }
  }

  private mutating func halveAttempts() {
    var kept: [AttemptRecord] = []
    for (index, attempt) in attempts.enumerated() {
      if index > 0, index + 1 < attempts.count, index.isMultiple(of: 2) {
        kept[kept.count - 1].omitted += 1 + attempt.omitted
      } else {
        kept.append(attempt)
      }
    }
    attempts = kept
  }

  private mutating func halveSamples(keeping begins: [Double]) {
    samples = stride(from: 0, to: samples.count, by: 2).flatMap { index in
      let pair = Array(samples[index...].prefix(2))
      let isKept = begins.contains {
        pair[0].seconds <= $0 && $0 <= pair[pair.count - 1].seconds && $0 > 0
      }
      return isKept || pair.count == 1 ? pair : [pair[0].merged(with: pair[1])]
    }
  }
}

extension MeasureRecord.Sample {
  func merged(with next: Self) -> Self {
    var result = next.rows == nil && rows != nil ? self : next
    result.memoryBytes = max(memoryBytes, next.memoryBytes)
    return result
  }
}
