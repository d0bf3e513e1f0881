internal import BulkModel
internal import BulkStore

/// Makes the plan of a way of several steps: the first is planned exactly, the others as far as can be
/// told before there are stores for them.
struct RoutePlan {
  private let store: PersistentStore
  private let steps: [RouteStep]
  private let destination: String
  private let now: Double
  private let knowsPolicy: ((String) -> Bool)?

  /// A plan to be made.
  ///
  /// - Parameters:
  ///   - store: The store that is read.
  ///   - steps: The steps, at least one.
  ///   - destination: The store that is made in the end.
  ///   - now: What `now()` gives, in seconds since 2001-01-01 00:00:00 UTC, in all steps.
  ///   - knowsPolicy: Whether there is a policy of a class name; `nil` to look at the run only.
  init(
    _ store: PersistentStore,
    _ steps: [RouteStep],
    destination: String,
    now: Double,
    knowsPolicy: ((String) -> Bool)?
  ) {
    self.store = store
    self.steps = steps
    self.destination = destination
    self.now = now
    self.knowsPolicy = knowsPolicy
  }

  /// The plan; that of a single step has no route.
  func plan() throws(PlanError) -> MigrationPlan {
    guard let first = steps.first, let last = steps.last else {
      preconditionFailure("a way has at least one step")
    }
    let inputs = try PlanInputs(
      store,
      from: first.source,
      to: first.destination,
      mapping: first.file,
      destination: destination,
      knowsPolicy: knowsPolicy
    )
    var plan = try Planner.plan(inputs, now: now)
    guard steps.count > 1 else { return plan }
    var hops = plan.hops
    var rows = RowsOnTheWay(after: plan)
    for (index, step) in steps.enumerated().dropFirst() {
      let check = try check(step)
      rows = rows.following(check.mapping, hasJoins: step.destination.model.hasJoins)
      hops.append(hop(step, check, rows))
      plan.warnings += check.warnings.map { "step \(index + 1): \($0)" }
    }
    plan.destination.model = last.destination.input
    plan.route = MigrationRoute(hops: hops)
    plan.fingerprint = plan.computedFingerprint
    return plan
  }

  private func check(_ step: RouteStep) throws(PlanError) -> StepCheck {
    try StepCheck(
      step,
      frameworkVersion: store.metadata.frameworkVersion,
      now: now,
      knowsPolicy: knowsPolicy
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
