internal import BulkExecute
internal import BulkPlan
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Reports the outcome of objects that violate rules, and the locations of their expressions.
struct RuleFindings {
  private let plan: MigrationPlan
  private let work: MigrationWork
  private let survey: SourceSurvey
  private let isRefused: Bool
  private let locations: ExpressionLocations

  /// The findings about a plan of one leg; `isRefused` where objects cannot be left out.
  init(
    _ plan: MigrationPlan,
    _ work: MigrationWork,
    _ survey: SourceSurvey,
    isRefused: Bool
  ) {
    (self.plan, self.work, self.survey, self.isRefused) = (plan, work, survey, isRefused)
    locations = ExpressionLocations(plan)
  }

  /// In the order of the kinds.
  func findings(_ found: Rehearsed) throws -> [PreflightFinding] {
    let all = try (found.violations?.rules ?? []).map { try finding($0) }
    return PreflightFinding.Kind.allCases.flatMap { kind in all.filter { $0.kind == kind } }
  }

  private func finding(_ rule: ViolationSummary.Rule) throws -> PreflightFinding {
    let name = rule.name
    let kind = kind(of: name)
    // Where rows keep their keys, a run checks no rules but uniqueness, as Core Data.
    let isKept = !work.isJudged && kind == .rule
    var result = PreflightFinding(
      kind,
      of: name.entity,
      name.property,
      rule: name.rule,
      count: rule.count,
      first: rule.first.map { object in
        PreflightFinding.Object(
          entity: object.source?.entity ?? name.entity,
          key: object.source?.key ?? object.key,
          value: object.value
        )
      },
      outcome: isKept ? .kept : isRefused ? .stops : .leftOut
    )
    guard result.kind == .expression else { return result }
    result.total = plan.passes.flatMap(\.entities).first { $0.mapping == name.entity }?.rows
    result.expression = locations.location(of: name.property, in: name.entity).map {
      PreflightFinding.Place(path: $0.path, line: $0.line, column: $0.column)
    }
    if let column = convertedColumn(name), let extremes = try survey.extremes(of: column) {
      (result.least, result.greatest) = (extremes.least, extremes.greatest)
    }
    return result
  }

  private func kind(of name: ViolationSummary.RuleName) -> PreflightFinding.Kind {
    switch name.rule {
    case Violation.expressionRule: .expression
    case Violation.dependantRule: .dependant
    case Violation.uniquenessRule, Violation.duplicateRule: .uniqueness
    case Violation.policyRule: .policy
    default: .rule
    }
  }

  /// The column whose values an attribute takes unchanged, but for their type; `nil` if it computes.
  private func convertedColumn(_ name: ViolationSummary.RuleName) -> SourceColumn? {
    let creation = work.instances.creations.first { $0.mapping.mapping.name == name.entity }
    let evaluation = creation?.evaluations.first { $0.attribute.name == name.property }
    guard let creation, let path = evaluation?.copiedPath, path.count == 1 else { return nil }
    let schema = work.layout.schema
    guard let (owner, _) = schema.model.leaf(named: path[0], of: creation.mapping.source),
      let column = schema.column(.attribute(PropertyKey(owner.name, path[0])))
    else { return nil }
    let mapping = creation.mapping
    return SourceColumn(name: column, table: mapping.sourceTable, entity: mapping.sourceNumber)
  }
}
