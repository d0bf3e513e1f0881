public import BulkVersions
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
    try plan(
      ofHops: index..<index + 1,
      source: source,
      destination: destination,
      knowsPolicy: knowsPolicy
    )
  }

  /// The plan of several steps that are done as one, made for a store that the steps before have made.
  ///
  /// It has no route; it is carried out like any other plan.
  ///
  /// - Parameters:
  ///   - range: The places of the steps in ``hops``, from 0; several are those of a leg of
  ///     ``RouteFusion``.
  ///   - source: The store that is read; of the first step that of the plan.
  ///   - destination: The store that the last step makes.
  ///   - knowsPolicy: Whether there is a policy of a class name; `nil` to look at the run only.
  /// - Returns: The steps' plan.
  /// - Throws: ``PlanError/stale(_:)`` if a model or the mapping is not what was planned with,
  ///   ``PlanError/cannotFuse(_:)`` if several steps cannot be done as one, or another ``PlanError`` if
  ///   the store is not one of the first step's first version.
  public func plan(
    ofHops range: Range<Int>,
    source: String,
    destination: String,
    knowsPolicy: ((String) -> Bool)? = nil
  ) throws(PlanError) -> MigrationPlan {
    precondition(!range.isEmpty, "a plan has at least one step")
    let steps = Array(hops[range])
    let models = try Self.models(of: steps)
    var route: [RouteStep] = []
    for (index, hop) in steps.enumerated() {
      route.append(
        RouteStep(
          source: models[index],
          destination: models[index + 1],
          file: try hop.mapping.path.map { path throws(PlanError) in
            try MappingFile.planned(path)
          }
        )
      )
    }
    let inputs = try PlanInputs(
      try PlanInputs.store(source),
      route,
      destination: destination,
      // A step of a route is done even where its versions have equal hashes.
      rebuilds: true,
      knowsPolicy: knowsPolicy
    )
    let plan = try Planner.plan(inputs, now: steps.lazy.compactMap(\.mapping.now).first ?? 0)
    for (index, hop) in steps.enumerated() where plan.mappingOfEachStep[index] != hop.mapping {
      let path = hop.mapping.path ?? "of step \(range.lowerBound + index + 1)"
      throw .stale(["the mapping \(path) has changed"])
    }
    return plan
  }

  /// The models from that before the first of some steps to that after the last.
  private static func models(of steps: [MigrationRoute.Hop]) throws(PlanError) -> [LocatedModel] {
    let inputs =
      [(steps[0].source, MappingFile.Side.source)]
      + steps.map { ($0.destination, MappingFile.Side.destination) }
    var models: [LocatedModel] = []
    var changed: [String] = []
    for (planned, side) in inputs {
      let found = try LocatedModel(planned, as: side)
      if found.input.digest != planned.digest {
        changed.append("the model \(planned.path) has changed")
      }
      models.append(found)
    }
    guard changed.isEmpty else { throw .stale(changed) }
    return models
  }
}
