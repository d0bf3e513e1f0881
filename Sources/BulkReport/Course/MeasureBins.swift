internal import BulkExecute

/// How much of something was done in each of many equal slices of the working time.
struct MeasureBins {
  /// The amount a second, by slice.
  let rates: [Double]

  /// Slices of a record.
  ///
  /// What was done between two samples counts as done evenly. Between two attempts nothing was done: a resumed
  /// one begins with the rows of a checkpoint.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - count: The number of slices.
  ///   - value: The amount so far, of a sample that knows it.
  init(
    _ record: MeasureRecord,
    count: Int,
    _ value: (MeasureRecord.Sample) -> Int64?
  ) {
    var amounts = [Double](repeating: 0, count: count)
    let slice = record.seconds / Double(count)
    guard slice > 0 else {
      rates = amounts
      return
    }
    for samples in record.samplesByAttempt {
      let known = samples.compactMap { sample in value(sample).map { (sample.seconds, $0) } }
      for (before, after) in zip(known, known.dropFirst()) where after.1 > before.1 {
        Self.spread(Double(after.1 - before.1), from: before.0, to: after.0, slice, over: &amounts)
      }
    }
    rates = amounts.map { $0 / slice }
  }

  private static func spread(
    _ amount: Double,
    from start: Double,
    to end: Double,
    _ slice: Double,
    over amounts: inout [Double]
  ) {
    let last = amounts.count - 1
    let first = min(Int(start / slice), last)
    guard end > start else {
      amounts[first] += amount
      return
    }
    for index in first...min(Int(end / slice), last) {
      let part = min(end, Double(index + 1) * slice) - max(start, Double(index) * slice)
      amounts[index] += amount * max(part, 0) / (end - start)
    }
  }
}

extension MeasureRecord {
  /// The samples of each attempt.
  var samplesByAttempt: [[Sample]] {
    var result: [[Sample]] = []
    var rest = samples[...]
    for index in attempts.indices {
      let end = index + 1 < attempts.count ? attempts[index + 1].from : .infinity
      // The first sample of an attempt has the time of the last one before it.
      var own: [Sample] = []
      while let next = rest.first, next.seconds <= end {
        if next.seconds == end, !own.isEmpty, own.last?.seconds == end { break }
        own.append(next)
        rest.removeFirst()
      }
      result.append(own)
    }
    return result
  }
}
