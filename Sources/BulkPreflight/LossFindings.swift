internal import BulkExecute
internal import BulkLowering
internal import BulkPlan

/// Says of links which of them a migration loses, because the object at the other end is not migrated.
enum LossFindings {
  /// The finding that all objects go, because no entity continues.
  static func findings(
    ofReplacementBy work: MigrationWork,
    _ plan: MigrationPlan
  ) -> [PreflightFinding] {
    guard work.step.steps.contains(where: \.replacesAll) else { return [] }
    let lost = plan.losses.filter { $0.kind == .objects }.reduce(0) { $0 + $1.count }
    return [
      PreflightFinding(
        .replacement,
        of: plan.source.store,
        rule: "no entity continues",
        count: lost,
        outcome: .lost
      )
    ]
  }

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
