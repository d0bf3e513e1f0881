internal import BulkExecute

/// How much of something was done in each of many equal slices of the working time.
struct MeasureBins {
  /// The amount a second, by slice.
  let rates: [Double]

  /// Slices of a record.
  ///
  /// What was done between two samples that know the amount counts as done evenly. Between two attempts nothing was
  /// done: a resumed one begins with the rows of a checkpoint.
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
        let span = StageSpan(
          stage: stage,
          step: sample.step,
          pass: sample.pass,
          from: time,
          to: sample.seconds
        )
        spans.append(span)
      }
      time = sample.seconds
    }
    return spans
  }

  /// The stage in words, by the names of the passes of a plan of one step, or with the step of several.
  func name(passes: [String], steps: Int) -> String {
    let prefix = steps > 1 ? "step \(step), " : ""
    switch stage {
    case .rows:
      guard steps <= 1, passes.count > 1, passes.indices.contains(pass - 1) else {
        return "\(prefix)rows"
      }
      return "pass \(pass): \(passes[pass - 1])"
    case .indexes: return "\(prefix)indexes"
    case .validation: return "\(prefix)validation"
    case .files: return "\(prefix)copying files"
    case .publishing: return "\(prefix)publishing"
    case .losses: return "\(prefix)counting losses"
    }
  }

  /// The class by which it is coloured.
  var style: String {
    switch stage {
    case .rows: pass.isMultiple(of: 2) ? "span rows even" : "span rows"
    case .indexes: "span indexes"
    case .validation: "span validation"
    case .files, .publishing: "span publishing"
    case .losses: "span validation"
    }
  }
}
