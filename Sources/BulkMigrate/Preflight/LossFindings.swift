internal import BulkExecute
internal import BulkPlan

/// Reports links that a migration loses because the object at the other end is not migrated.
enum LossFindings {
  /// The findings that all objects go, because no entity continues, of every leg.
  static func findings(
    ofReplacementBy plan: MigrationPlan,
    _ work: MigrationWork
  ) throws(PlanError) -> [PreflightFinding] {
    let later = plan.steps.indices.dropFirst(work.step.steps.count)
    let steps = work.step.steps + (later.isEmpty ? [] : try plan.steps(later).all())
    // A later leg is taken to read as many objects as the first one makes.
    let made = plan.passes.flatMap(\.entities).reduce(0) {
      $0 + ($1.change == .removed ? 0 : $1.rows)
    }
    return steps.enumerated().filter(\.element.replacesAll).map { index, _ in
      let lost = plan.losses.filter { $0.kind == .objects && $0.step == index + 1 }
      let isLater = index >= work.step.steps.count
      return PreflightFinding(
        .replacement,
        of: plan.source.store,
        rule: "no entity continues" + (steps.count == 1 ? "" : " in step \(index + 1)"),
        count: isLater ? made : lost.reduce(0) { $0 + $1.count },
        outcome: .lost
      )
    }
  }

  /// In the order of the losses.
  static func findings(_ found: Rehearsed) -> [PreflightFinding] {
    found.losses.filter { $0.kind == .links && isOfOtherEnd($0.cause) }.map { loss in
      let parts = loss.owner.split(separator: ".", maxSplits: 1).map(String.init)
      var finding = PreflightFinding(
        .lostLink,
        of: parts.first ?? loss.owner,
        parts.dropFirst().first ?? "",
        rule: loss.reason,
        count: loss.count,
        first: (found.lostLinks[loss.owner] ?? []).map {
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
    case .removed, .filtered, .policy, .leftBehind, .rejected, .elsewhere, .stray, .missingFile:
      false
    }
  }
}
