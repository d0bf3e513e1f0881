internal import BulkStore

/// Counts faults of a source by their subjects, and keeps the first of each.
struct SurveyFindings {
  /// What faults are counted by, and the value of the one that was found.
  struct Fault {
    fileprivate let finding: PreflightFinding
    fileprivate let value: String?

    init(
      _ kind: PreflightFinding.Kind,
      _ property: PropertyKey,
      _ rule: String,
      _ outcome: PreflightFinding.Outcome,
      value: String? = nil
    ) {
      finding = PreflightFinding(
        kind,
        of: property.entity,
        property.property,
        rule: rule,
        count: 0,
        outcome: outcome
      )
      self.value = value
    }
  }

  /// By the finding without its objects.
  private var indices: [PreflightFinding: Int] = [:]
  private var found: [PreflightFinding] = []

  /// Adds a fault of an object.
  mutating func add(_ fault: Fault, of entity: String, _ key: Int64) {
    let index = indices[fault.finding] ?? found.count
    if index == found.count {
      indices[fault.finding] = index
      found.append(fault.finding)
    }
    found[index].count += 1
    if found[index].first.count < PreflightFinding.shown {
      found[index].first.append(.init(entity: entity, key: key, value: fault.value))
    }
  }

  /// The findings, in the order of the kinds.
  var findings: [PreflightFinding] {
    PreflightFinding.Kind.allCases.flatMap { kind in found.filter { $0.kind == kind } }
  }
}
