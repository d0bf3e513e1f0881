internal import BulkExecute

extension MeasureRecord {
  /// How much of something was done a second, in each of many equal slices of the working time.
  ///
  /// What was done between two samples that know the amount counts as done evenly. Between two attempts nothing was
  /// done: a resumed one begins with the rows of a checkpoint.
  func rates(count: Int, _ value: (Sample) -> Int64?) -> [Double] {
    var amounts = [Double](repeating: 0, count: count)
    let slice = seconds / Double(count)
    guard slice > 0 else { return amounts }
    for samples in samplesByAttempt {
      let known = samples.compactMap { sample in value(sample).map { (sample.seconds, $0) } }
      for (before, after) in zip(known, known.dropFirst()) where after.1 > before.1 {
        let (start, end, amount) = (before.0, after.0, Double(after.1 - before.1))
        let first = min(Int(start / slice), count - 1)
        guard end > start else {
          amounts[first] += amount
          continue
        }
        for index in first...min(Int(end / slice), count - 1) {
          let part = min(end, Double(index + 1) * slice) - max(start, Double(index) * slice)
          amounts[index] += amount * max(part, 0) / (end - start)
        }
      }
    }
    return amounts.map { $0 / slice }
  }

  private var samplesByAttempt: [[Sample]] {
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

/// A time in which one thing was done: the rows of a pass, or another stage.
struct StageSpan: Hashable {
  var stage: MigrationProgress.Stage
  var step: Int
  var pass: Int
  /// The working time at which it begins, in seconds.
  var from: Double
  /// The working time at which it ends, in seconds.
  var to: Double

  /// The spans of a record, in order.
  ///
  /// A sample covers the work up to it.
  static func all(of record: MeasureRecord) -> [StageSpan] {
    var spans: [StageSpan] = []
    var time = 0.0
    for sample in record.samples {
      guard let stage = sample.stage else { continue }
      let isSame = spans.last.map {
        $0.stage == stage && $0.step == sample.step && (stage != .rows || $0.pass == sample.pass)
      }
      if isSame == true {
        spans[spans.count - 1].to = sample.seconds
      } else {
        let (step, pass, end) = (sample.step, sample.pass, sample.seconds)
        spans.append(StageSpan(stage: stage, step: step, pass: pass, from: time, to: end))
      }
      time = sample.seconds
    }
    return spans
  }

  /// The stage in words, by the names of the passes of a plan of one step, or with the step of several.
  func name(passes: [String], steps: Int) -> String {
    if stage == .rows, steps <= 1, passes.count > 1, passes.indices.contains(pass - 1) {
      return "pass \(pass): \(passes[pass - 1])"
    }
    let words: [MigrationProgress.Stage: String] = [
      .files: "copying files", .losses: "counting losses",
    ]
    return (steps > 1 ? "step \(step), " : "") + (words[stage] ?? stage.rawValue)
  }

  var style: String { "span \(stage.rawValue)\(pass.isMultiple(of: 2) ? " even" : "")" }
}
