internal import BulkExecute

extension MeasureRecord {
  /// How much of something was done a second, in each of many equal slices of the working time.
  ///
  /// What was done between two samples counts as done evenly. Rows fall where an attempt is resumed, which begins with
  /// those of a checkpoint.
  func rates(count: Int, _ value: (Sample) -> Int64) -> [Double] {
    var amounts = [Double](repeating: 0, count: count)
    let slice = seconds / Double(count)
    guard slice > 0 else { return amounts }
    var (start, before) = (0.0, Int64(0))
    for sample in samples {
      let (end, amount) = (sample.seconds, Double(max(value(sample) - before, 0)))
      let slices = min(Int(start / slice), count - 1)...min(Int(end / slice), count - 1)
      for index in slices {
        let part = min(end, Double(index + 1) * slice) - max(start, Double(index) * slice)
        amounts[index] += end > start ? amount * max(part, 0) / (end - start) : amount
      }
      (start, before) = (end, value(sample))
    }
    return amounts.map { $0 / slice }
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
      let (stage, step, pass, end) = (sample.stage, sample.step, sample.pass, sample.seconds)
      let isSame = spans.last.map {
        $0.stage == stage && $0.step == step && (stage != .rows || $0.pass == pass)
      }
      if isSame == true {
        spans[spans.count - 1].to = end
      } else {
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
