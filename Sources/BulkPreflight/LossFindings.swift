internal import BulkExecute
internal import BulkPlan

/// Says of links which of them a migration loses, because the object at the other end is not migrated.
enum LossFindings {
  /// The findings, in the order of the losses.
  static func findings(_ found: Rehearsed) -> [PreflightFinding] {
    found.losses.filter { $0.kind == .links && isOfOtherEnd($0.cause) }.map { loss in
      let parts = loss.place.split(separator: ".", maxSplits: 1).map(String.init)
      var finding = PreflightFinding(
        .lostLink,
        of: parts.first ?? loss.place,
        parts.dropFirst().first ?? "",
        rule: loss.reason,
        count: loss.count,
        first: (found.lostLinks[loss.place] ?? []).map {
          PreflightFinding.Object(entity: $0.entity, key: $0.key, value: nil)
        },
        outcome: .lost
      )
      if loss.isUpperBound == true { finding.rule += "; at most so many" }
      return finding
    }
  }

  private static func isOfOtherEnd(_ cause: MigrationPlan.Loss.Cause) -> Bool {
    switch cause {
    case .target, .overlooked, .narrowed: true
    case .removed, .filtered, .policy, .leftBehind, .rejected, .damaged: false
    }
  }
}
