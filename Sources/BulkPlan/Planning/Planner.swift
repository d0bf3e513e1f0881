internal import BulkLowering
package import BulkVersions
internal import BulkMapping
package import BulkModel
internal import BulkPlatform
internal import BulkStore

extension Date {
  /// The current time in whole seconds since 2001-01-01 00:00:00 UTC.
  var wholeSeconds: Double { timeIntervalSinceReferenceDate.rounded(.down) }
}

package enum Planner {
  /// Makes a plan; reads models, metadata and counts, and writes nothing.
  package static func plan(_ request: PlanRequest) throws(PlanError) -> MigrationPlan {
    let now = request.now ?? SystemHost.current.now().wholeSeconds
    let file = try mappingFile(of: request)
    if let route = try route(request, file, now: now) { return try route.plan() }
    return try draft(try PlanInputs(request, file), now: now, request).withFingerprint
  }

  /// Whether a store has the requested version already, and no rewriting is requested; counts no rows.
  ///
  /// A mapping that would change its objects does not matter: a store that replaces itself does not
  /// record whether it was applied.
  package static func isOfVersion(_ request: PlanRequest) throws(PlanError) -> Bool {
    let file = try mappingFile(of: request)
    if let route = try route(request, file, now: 0) { return try route.isOfVersion() }
    if !request.rebuilds, try PlanInputs.isOfVersion(request, file) { return true }
    // Errors are reported before anything is made.
    _ = try PlanInputs(request, file)
    return false
  }

  private static func mappingFile(of request: PlanRequest) throws(PlanError) -> MappingFile? {
    request.mappingFiles.isEmpty ? nil : try MappingFile.planned(request.mappingFiles)
  }

  private static func route(
    _ request: PlanRequest,
    _ file: MappingFile?,
    now: Double
  ) throws(PlanError) -> RoutePlan? {
    guard request.requestsRoute || file?.chain != nil else { return nil }
    let (source, destination) = try PlanInputs.stores(of: request, file)
    let store = try PersistentStore.planned(at: source, copy: request.sourceCopy)
    let steps = try RouteSearch(request, file).route(of: store).steps
    return RoutePlan(
      store: store,
      shared: SharedSteps(steps.map { $0.following(request) }),
      destination: destination,
      now: now,
      request: request
    )
  }

  /// Makes a plan from inputs, without its fingerprint; `now` in seconds since 2001-01-01 00:00:00 UTC.
  ///
  /// The strategy is chosen by the cost where none is requested.
  static func draft(
    _ inputs: PlanInputs,
    now: Double,
    _ request: PlanRequest
  ) throws(PlanError) -> MigrationPlan {
    let mappings = inputs.steps.map { $0.input(now: now) }
    // A failure here is reported when the store is known to be sound.
    let work = inputs.isUpToDate ? nil : try? inputs.work(evaluates: request.evaluates)
    let isUnread = request.altersSource && work?.onlyAdds == true
    let counter = isUnread ? nil : work.flatMap { inputs.counter(for: $0) }
    var plan = MigrationPlan(
      bulkmigrate: MigrationPlan.format,
      source: isUnread
        ? inputs.unreadSource : try inputs.sourceInput(counting: counter, request.report),
      destination: MigrationPlan.DestinationInput(
        store: inputs.destinationPath,
        model: inputs.destinationModel.input,
        elsewhere: inputs.destinationModel.elsewhere
      ),
      steps: zip(inputs.steps, mappings).map { step, mapping in
        MigrationPlan.Step(
          source: step.source.input,
          destination: step.destination.input,
          mapping: mapping
        )
      },
      legs: [MigrationPlan.Leg(steps: inputs.steps.count, boundary: [])],
      isUpToDate: inputs.isUpToDate,
      passes: [],
      memory: PlannedMemory(),
      carried: MigrationPlan.Carried(),
      losses: [],
      warnings: [inputs.store.metadata.salvage].compactMap(\.self),
      fingerprint: ""
    )
    if !inputs.isUpToDate {
      let work = if let work { work } else { try inputs.work(evaluates: request.evaluates) }
      plan.evaluates = request.evaluates ? true : nil
      let keepsHistory = inputs.shared.files.contains(where: \.keepsPartialHistory)
      plan.keepsPartialHistory = keepsHistory ? true : nil
      let passes = inputs.steps.last?.mapping.passes ?? []
      let contents =
        isUnread
        ? try PlanContents(unread: work)
        : try PlanContents(
          work,
          inputs,
          counter,
          passes: passes,
          allowing: request.allowed,
          report: request.report
        )
      let strays = contents.counts.strays
      guard strays.isEmpty else {
        return try draft(inputs.leavingOut(strays), now: now, request)
      }
      plan.strategy =
        isUnread
        ? StoreStrategy(.copy, because: "only the schema grows, so no row is read")
        : try StrategyChoice(
          work: work,
          contents: contents,
          hasRequestedPasses: passes.contains(where: \.isWhole)
        ).strategy(requested: request.strategy)
      plan.passes = contents.passes
      plan.memory = contents.memory
      plan.workList =
        plan.list(work.step, changing: plan.isCopying ? try? work.step.changes() : nil).digest
      plan.countFirstLeg()
      plan.carried = contents.carried
      let leftOut = inputs.store.substitute?.strays ?? []
      plan.strays = leftOut.isEmpty ? nil : leftOut
      plan.losses =
        leftOut.map { MigrationPlan.Loss(.objects, $0.table, $0.rows, by: .stray, reason: "\($0)") }
        + contents.losses
      plan.source.externalFiles = contents.externalFiles
      let steps = try inputs.shared.steps(inputs.steps.count)
      plan.warnings +=
        inputs.steps.flatMap(\.mapping.warnings) + steps.flatMap(\.copiedTransformables)
        + contents.warnings
    }
    return plan
  }

  /// The model that a path names: a model, the current version of a version package, or the model that a
  /// store keeps.
  package static func model(named path: String) throws(PlanError) -> ManagedObjectModel {
    try ModelLocator.model(named: path).model
  }
}

extension LocatedModel {
  /// The entities that its configuration leaves to other stores, in code-unit order; `nil` where none restricts
  /// it.
  var elsewhere: [MigrationPlan.EntityElsewhere]? {
    guard input.configuration != nil else { return nil }
    let configurations = whole.configurations
    let names = configurations.keys.sortedByCodeUnit()
    return whole.entities.map(\.name).filter { model.entity(named: $0) == nil }.sortedByCodeUnit()
      .map { entity in
        MigrationPlan.EntityElsewhere(
          entity: entity,
          configurations: names.filter { configurations[$0]?.contains(entity) ?? false }
        )
      }
  }
}
