internal import BulkExecute
internal import BulkLowering
internal import BulkPlan

/// Says of links which of them a migration loses, because the object at the other end is not migrated.
struct LossFindings {
  private let work: MigrationWork

  init(_ work: MigrationWork) { self.work = work }

  /// The findings, in the order of the losses.
  func findings(_ found: Rehearsed) -> [PreflightFinding] {
    found.losses.filter { $0.kind == .links && isOfOtherEnd($0.cause) }.map { loss in
      let parts = loss.place.split(separator: ".", maxSplits: 1).map(String.init)
      let rows = found.lostLinks[loss.place]
      var finding = PreflightFinding(
        .lostLink,
        parts.first ?? loss.place,
        parts.dropFirst().first ?? "",
        loss.reason,
        count: loss.count,
        first: rows.map { rows in
          rows.keys.map { .init(entity: rows.entity, key: $0, value: nil) }
        } ?? [],
        .lost
      )
      if loss.isUpperBound == true { finding.rule += "; at most so many" }
      return finding
    }
  }

  private func isOfOtherEnd(_ cause: MigrationPlan.Loss.Cause) -> Bool {
    switch cause {
    case .target, .overlooked, .narrowed: true
    case .removed, .filtered, .policy, .leftBehind: false
    }
  }
}
