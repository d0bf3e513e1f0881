internal import BulkStore

/// Counts faults of a source by their subjects, and keeps the first of each.
struct SurveyFindings {
  /// The key by which faults are counted.
  private struct Name: Hashable {
    let kind: PreflightFinding.Kind
    let property: PropertyKey
    let rule: String
    let outcome: PreflightFinding.Outcome
  }

  /// Whether keys are copied as they are, also those that lead to no object.
  private let keepsLinks: Bool
  private var names: [Name] = []
  private var found: [Name: (count: Int64, first: [PreflightFinding.Object])] = [:]

  init(keepsLinks: Bool) { self.keepsLinks = keepsLinks }

  mutating func add(_ fault: SourceSurvey.Found) {
    let kept = keepsLinks ? PreflightFinding.Outcome.kept : .becomesNil
    let (kind, rule, outcome): (PreflightFinding.Kind, String, PreflightFinding.Outcome) =
      switch fault.fault {
      case .leadsNowhere: (.danglingReference, "leads to no object", kept)
      case .isOneSided:
        (
          .oneSidedReference, "the object at the other end does not lead back",
          keepsLinks ? .kept : .lastCounts
        )
      case .hasNoFile: (.missingFile, "the file of the value is missing", .kept)
      }
    add(
      Name(kind: kind, property: fault.property, rule: rule, outcome: outcome),
      PreflightFinding.Object(entity: fault.entity, key: fault.key, value: nil)
    )
  }

  /// Adds a number that an attribute cannot hold with all its digits.
  mutating func addRounded(_ column: RoundedColumn, _ key: Int64, _ value: String) {
    add(
      Name(
        kind: .rounding,
        property: column.property,
        rule: "has more digits than \(column.type) holds",
        outcome: .rounded
      ),
      PreflightFinding.Object(entity: column.sourceEntity, key: key, value: value)
    )
  }

  private mutating func add(_ name: Name, _ object: PreflightFinding.Object) {
    guard var known = found[name] else {
      names.append(name)
      found[name] = (1, [object])
      return
    }
    known.count += 1
    if known.first.count < PreflightFinding.shown { known.first.append(object) }
    found[name] = known
  }

  /// The findings, in the order of the kinds.
  var findings: [PreflightFinding] {
    PreflightFinding.Kind.allCases.flatMap { kind in
      names.filter { $0.kind == kind }.map { name in
        PreflightFinding(
          kind,
          of: name.property.entity,
          name.property.property,
          rule: name.rule,
          count: found[name]?.count ?? 0,
          first: found[name]?.first ?? [],
          outcome: name.outcome
        )
      }
    }
  }
}
