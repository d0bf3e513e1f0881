internal import BulkExecute

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
  /// A sample says what was done up to it.
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

  /// What is done, in words.
  ///
  /// - Parameters:
  ///   - passes: The names of the passes of a plan of one step.
  ///   - steps: The number of steps that are done one by one.
  /// - Returns: A phrase.
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
    case .waitingForRoom: return "\(prefix)waiting for room on the disk"
    case .publishing: return "\(prefix)publishing"
    }
  }

  /// The class by which it is coloured.
  var style: String {
    switch stage {
    case .rows: pass.isMultiple(of: 2) ? "span rows even" : "span rows"
    case .indexes: "span indexes"
    case .validation: "span validation"
    case .waitingForRoom: "span waiting"
    case .publishing: "span publishing"
    }
  }
}
