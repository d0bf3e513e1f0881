internal import BulkMapping

extension MigrationPlan {
  /// The plan of one step, made for a store that the step before it has made.
  ///
  /// It has no route; it is carried out like any other plan. Equal stores give equal plans, byte for
  /// byte: what `now()` gives is that of the whole plan.
  ///
  /// - Parameters:
  ///   - index: The step's place in ``hops``, from 0.
  ///   - source: The store that is read; of the first step that of the plan.
  ///   - destination: The store that the step makes.
  ///   - knowsPolicy: Whether there is a policy of a class name; `nil` to look at the run only.
  /// - Returns: The step's plan.
  /// - Throws: ``PlanError/stale(_:)`` if a model or the mapping is not what was planned with, or
  ///   another ``PlanError`` if the store is not one of the step's first version.
  public func plan(
    ofHop index: Int,
    source: String,
    destination: String,
    knowsPolicy: ((String) -> Bool)? = nil
  ) throws(PlanError) -> MigrationPlan {
    let hop = hops[index]
    let models = (
      source: try LocatedModel(hop.source, as: .source),
      destination: try LocatedModel(hop.destination, as: .destination)
    )
    let changed = [(hop.source, models.source), (hop.destination, models.destination)]
      .filter { planned, found in planned.digest != found.input.digest }
      .map { planned, _ in "the model \(planned.path) has changed" }
    guard changed.isEmpty else { throw .stale(changed) }
    let inputs = try PlanInputs(
      try PlanInputs.store(source),
      from: models.source,
      to: models.destination,
      mapping: try hop.mapping.path.map { path throws(PlanError) in
        try MappingFile.planned(path)
      },
      destination: destination,
      knowsPolicy: knowsPolicy
    )
    let plan = try Planner.plan(inputs, now: hop.mapping.now ?? 0)
    guard plan.mapping == hop.mapping else {
      throw .stale(["the mapping \(hop.mapping.path ?? "of step \(index + 1)") has changed"])
    }
    return plan
  }
}
