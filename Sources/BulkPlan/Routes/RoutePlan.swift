internal import BulkModel
internal import BulkStore

/// Makes the plan of a way of several steps: the first is planned exactly, the others as far as can be
/// told before there are stores for them.
struct RoutePlan {
  private let store: PersistentStore
  private let steps: [RouteStep]
  private let destination: String
  private let now: Double
  private let request: PlanRequest

  /// A plan to be made.
  ///
  /// - Parameters:
  ///   - store: The store that is read.
  ///   - steps: The steps, at least one.
  ///   - destination: The store that is made in the end.
  ///   - now: What `now()` gives, in seconds since 2001-01-01 00:00:00 UTC, in all steps.
  ///   - request: What else was asked for.
  init(
    _ store: PersistentStore,
    _ steps: [RouteStep],
    destination: String,
    now: Double,
    _ request: PlanRequest
  ) {
    self.store = store
    self.steps = steps
    self.destination = destination
    self.now = now
    self.request = request
  }

  /// The plan; that of a single step has no route.
  func plan() throws(PlanError) -> MigrationPlan {
    var plan = try Planner.plan(try inputs(), now: now)
    if let first = steps.first, !first.warnings.isEmpty {
      plan.warnings = first.warnings + plan.warnings
      plan.fingerprint = plan.computedFingerprint
    }
    guard let last = steps.last, steps.count > 1 else { return plan }
    let later = try laterHops(after: plan.passes)
    plan.warnings += later.warnings
    let hops = plan.hops + later.hops
    plan.route = MigrationRoute(hops: hops, legs: hops.map { _ in .init(steps: 1, boundary: []) })
    plan.destination.model = last.destination.input
    let legs = try plan.legs(fuses: request.fuses)
    return try fused(plan, legs.map { .init(steps: $0.hops.count, boundary: $0.boundary) })
  }

  /// The plan with steps done as one; without a route where all are.
  private func fused(
    _ plan: MigrationPlan,
    _ legs: [MigrationRoute.Leg]
  ) throws(PlanError) -> MigrationPlan {
    var result = plan
    if let steps = legs.first?.steps, steps > 1 {
      result = try plan.plan(
        ofHops: 0..<steps,
        source: plan.source.store,
        destination: plan.destination.store,
        knowsPolicy: request.knowsPolicy
      )
      result.warnings = plan.warnings.filter { !result.warnings.contains($0) } + result.warnings
    }
    if legs.count > 1 {
      (result.through, result.mappings) = (nil, nil)
      result.route = plan.route
      result.route?.legs = legs
      result.destination = plan.destination
    }
    result.fingerprint = result.computedFingerprint
    return result
  }

  /// Whether there is nothing to do.
  func isUpToDate() throws(PlanError) -> Bool { try inputs().isUpToDate }

  /// What all steps cost: as in the plan, without reading the store through.
  func forecast() throws(PlanError) -> StoreForecast.Cost {
    let inputs = try inputs()
    guard !inputs.isUpToDate else { return StoreForecast.Cost() }
    let passes = try PlanContents(try MigrationWork(inputs), readsThrough: false).passes
    let later = try laterHops(after: passes).hops
    return StoreForecast.Cost(
      rows: later.reduce(passes.reduce(0) { $0 + $1.rows }) { $0 + $1.rows },
      bytes: later.reduce(passes.reduce(0) { $0 + $1.estimatedBytes }) { $0 + $1.estimatedBytes },
      seconds: CostModel.sum(passes.map(\.estimatedSeconds) + later.map(\.estimatedSeconds))
    )
  }

  private func inputs() throws(PlanError) -> PlanInputs {
    precondition(!steps.isEmpty, "a way has at least one step")
    return try PlanInputs(
      store,
      Array(steps.prefix(1)),
      destination: destination,
      rebuilds: request.rebuilds,
      knowsPolicy: request.knowsPolicy
    )
  }

  /// The steps after the first, as far as they are known before there are stores for them.
  private func laterHops(
    after passes: [MigrationPlan.Pass]
  ) throws(PlanError) -> (hops: [MigrationRoute.Hop], warnings: [String]) {
    var hops: [MigrationRoute.Hop] = []
    var warnings: [String] = []
    var rows = RowsOnTheWay(after: passes)
    for (index, step) in steps.enumerated().dropFirst() {
      let check = try check(step)
      rows = rows.following(check.mapping, hasJoins: step.destination.model.hasJoins)
      hops.append(hop(step, check, rows))
      warnings += (step.warnings + check.warnings).map { "step \(index + 1): \($0)" }
    }
    return (hops, warnings)
  }

  private func check(_ step: RouteStep) throws(PlanError) -> StepCheck {
    try StepCheck(
      step,
      frameworkVersion: store.metadata.frameworkVersion,
      now: now,
      knowsPolicy: request.knowsPolicy
    )
  }

  private func hop(
    _ step: RouteStep,
    _ check: StepCheck,
    _ rows: RowsOnTheWay
  ) -> MigrationRoute.Hop {
    MigrationRoute.Hop(
      source: step.source.input,
      destination: step.destination.input,
      mapping: check.input,
      rows: rows.rows,
      estimatedBytes: rows.bytes,
      estimatedSeconds: CostModel.seconds(rows: rows.rows, bytes: rows.bytes)
    )
  }
}

extension ManagedObjectModel {
  /// Whether stores of the model have join tables.
  fileprivate var hasJoins: Bool {
    entities.contains { entity in
      entity.relationships.contains { relationship in
        relationship.isToMany && !relationship.isTransient
          && inverse(of: relationship)?.relationship.isToMany == true
      }
    }
  }
}
