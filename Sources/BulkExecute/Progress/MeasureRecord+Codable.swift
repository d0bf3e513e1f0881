/// The form of a record in a checkpoint: all samples are one list of integers, which is quick to write.
extension MeasureRecord: Codable {
  private enum CodingKeys: CodingKey {
    case attempts, samples, segments, segmentBytes
  }

  /// Samples that another version wrote are left out.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    attempts = try values.decode([AttemptRecord].self, forKey: .attempts)
    segments = try values.decode(Int64.self, forKey: .segments)
    segmentBytes = try values.decode(Int64.self, forKey: .segmentBytes)
    let numbers = try values.decode([Int64].self, forKey: .samples)
    samples = stride(from: 0, to: numbers.count, by: Sample.numberCount).compactMap { start in
      Sample(numbers[start..<min(start + Sample.numberCount, numbers.count)])
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(attempts, forKey: .attempts)
    try values.encode(segments, forKey: .segments)
    try values.encode(segmentBytes, forKey: .segmentBytes)
    try values.encode(samples.flatMap(\.numbers), forKey: .samples)
  }
}

extension MeasureRecord.Sample {
  fileprivate static let numberCount = 8
  private static let stages = MigrationProgress.Stage.allCases

  /// Milliseconds, stage, step, pass, rows, memory, bytes read, bytes written; -1 for what is not known.
  fileprivate var numbers: [Int64] {
    let stage = stage.flatMap { Self.stages.firstIndex(of: $0) }.map { Int64($0) }
    return [
      Int64((seconds * 1000).rounded()), stage ?? -1, Int64(step), Int64(pass), rows ?? -1,
      memoryBytes, bytesRead, bytesWritten,
    ]
  }

  fileprivate init?(_ numbers: ArraySlice<Int64>) {
    let numbers = Array(numbers)
    guard numbers.count == Self.numberCount, numbers[1] < Self.stages.count else { return nil }
    self.init(
      seconds: Double(numbers[0]) / 1000,
      stage: numbers[1] < 0 ? nil : Self.stages[Int(numbers[1])],
      step: Int(numbers[2]),
      pass: Int(numbers[3]),
      rows: numbers[4] < 0 ? nil : numbers[4],
      memoryBytes: numbers[5],
      bytesRead: numbers[6],
      bytesWritten: numbers[7]
    )
  }
}
