internal import BulkLowering
internal import BulkVersions
internal import BulkModel
internal import BulkStore

/// Makes the plan of a route of several steps: the first leg is planned exactly, the others as far as
/// possible before their sources exist.
struct RoutePlan {
  let store: PersistentStore
  /// The steps, at least one.
  let shared: SharedSteps
  let destination: String
  /// The value of `now()` in all steps, in seconds since 2001-01-01 00:00:00 UTC.
  let now: Double
  let request: PlanRequest

  private var steps: [StepFiles] { shared.files }

  func plan() throws(PlanError) -> MigrationPlan {
    let whole = try inputs(steps.count)
    guard !whole.isUpToDate else {
      return try Planner.draft(whole, now: now, PlanRequest()).withFingerprint
    }
    try shared.refuseReplacement(unless: request.allowed)
    if request.isLikeCoreData { try shared.refuseDifferences() }
    let legs = try legs()
    let first = legs[0].steps
    if legs.count > 1, request.strategy == .copy {
      throw .cannotCopy("the route takes \(legs.count) legs, and each makes its own store")
    }
    var request = request
    if legs.count > 1 { request.strategy = .rebuild }
    var plan = try Planner.draft(try inputs(first), now: now, request)
    plan.warnings = try directInference() + steps.prefix(first).flatMap(\.warnings) + plan.warnings
    if legs.count > 1, let last = steps.last {
      let later = try laterSteps(after: plan.passes, first)
      plan.warnings += later.warnings
      plan.losses += try laterLosses(after: first)
      plan.steps += later.steps
      (plan.legs, plan.strategy) = (legs, nil)
      plan.destination.model = last.destination.input
    }
    return plan.withFingerprint
  }

  private func directInference() throws(PlanError) -> [String] {
    let mappings = try shared.steps(steps.count).map(\.mapping)
    return [DirectInference(inPlaceOf: steps, by: mappings).difference].compactMap(\.self)
  }

  /// The legs; found without reading rows.
  private func legs() throws(PlanError) -> [MigrationPlan.Leg] {
    guard steps.count > 1 else { return [.init(steps: 1, boundary: [])] }
    return try shared.legs(of: store) { steps throws(PlanError) in
      try RouteFusion(steps, of: store, isOn: request.fuses).legs
    }
  }

  private func laterLosses(after first: Int) throws(PlanError) -> [MigrationPlan.Loss] {
    try Ledger(shared.steps(steps.count), shared.losses(steps.count), after: first, store).losses
  }

  /// Whether the store has the route's last version already, and no rewriting is requested.
  func isOfVersion() throws(PlanError) -> Bool {
    if let last = steps.last, !request.rebuilds, ModelLocator.fits(last.destination.model, store) {
      return true
    }
    _ = try inputs(steps.count)
    return false
  }

  /// The inputs of the first steps; with several steps, even those between equal versions run.
  private func inputs(_ count: Int) throws(PlanError) -> PlanInputs {
    try PlanInputs(
      store,
      shared,
      first: count,
      destination: destination,
      rebuilds: request.rebuilds || count < steps.count,
      knowsPolicy: request.knowsPolicy
    )
  }

  /// The steps after the first leg, as far as known before their sources exist.
  private func laterSteps(
    after passes: [MigrationPlan.Pass],
    _ first: Int
  ) throws(PlanError) -> (steps: [MigrationPlan.Step], warnings: [String]) {
    var planned: [MigrationPlan.Step] = []
    var warnings: [String] = []
    var rows = RowsAlongRoute(after: passes)
    for (index, step) in steps.enumerated().dropFirst(first) {
      let check = try StepCheck(step, now: now, knowsPolicy: request.knowsPolicy)
      let entities = check.changes(rows)
      let found = try check.warnings(rows)
      rows = rows.following(check.mapping, hasJoins: step.destination.model.hasJoins)
      planned.append(
        MigrationPlan.Step(
          source: step.source.input,
          destination: step.destination.input,
          mapping: check.input,
          rows: rows.rows,
          estimatedBytes: rows.bytes,
          estimatedSeconds: CostModel.seconds(rows: rows.rows, bytes: rows.bytes),
          isUpperBound: rows.isUpperBound ? true : nil,
          entities: entities
        )
      )
      warnings += (step.warnings + found).map { "step \(index + 1): \($0)" }
    }
    return (planned, warnings)
  }
}

extension ManagedObjectModel {
  fileprivate var hasJoins: Bool {
    entities.contains { entity in
      entity.relationships.contains { relationship in
        relationship.isToMany && !relationship.isTransient
          && inverse(of: relationship)?.relationship.isToMany == true
      }
    }
  }
}
