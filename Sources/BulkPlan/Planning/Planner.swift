internal import BulkMapping
internal import BulkModel
internal import BulkSupport
package import BulkStore

extension Date {
  /// The current time in whole seconds since 2001-01-01 00:00:00 UTC.
  var wholeSeconds: Double { timeIntervalSinceReferenceDate.rounded(.down) }
}

/// Makes the plan of a store's migration by some steps; reads models, metadata and counts, and writes nothing.
///
/// Of several legs the first is planned, the others are checked: they are planned when their sources exist.
package struct Planner {
  private(set) var store: PersistentStore
  let steps: SharedSteps
  /// An absolute path.
  let destination: String
  /// The value of `now()` for all steps, in seconds since 2001-01-01 00:00:00 UTC.
  let now: Double
  private(set) var request: PlanRequest

  package init(
    _ store: PersistentStore,
    _ steps: SharedSteps,
    into destination: String,
    now: Double,
    _ request: PlanRequest
  ) {
    (self.store, self.steps) = (store, steps)
    self.destination = FilePath.absolute(destination)
    (self.now, self.request) = (now, request)
  }

  /// Finds the steps that a request asks for: those of a route, or one between the models that it names.
  private init(_ request: PlanRequest) throws(PlanError) {
    let file = try Self.file(of: request)
    let (source, destination) = try Self.stores(of: request, file)
    let store = try PersistentStore.planned(at: source, copy: request.sourceCopy)
    let files =
      Self.seeksRoute(request, file)
      ? try RouteSearch(request, file).route(of: store).steps
      : [try (file?.completing(request) ?? request).namedStep(of: store, file)]
    self.init(
      store,
      SharedSteps(files.following(request)),
      into: destination,
      now: request.now ?? SystemHost.current.now().wholeSeconds,
      request
    )
  }

  package static func plan(_ request: PlanRequest) throws(PlanError) -> MigrationPlan {
    try Planner(request).plan()
  }

  /// Whether a store has the requested version already, and no rewriting is requested; counts no rows.
  ///
  /// A mapping that would change its objects matters only if it is named as one of that version, and the store's metadata
  /// do not say that it was applied.
  package static func isOfVersion(_ request: PlanRequest) throws(PlanError) -> Bool {
    if !request.rebuilds, try isOfNamedVersion(request) { return true }
    let planner = try Planner(request)
    let last = planner.steps.files.last?.destination.model
    if let last, !request.rebuilds, ModelLocator.fits(last, planner.store) {
      let files = planner.steps.files.map(\.file)
      let isNamed =
        request.sourceModel != nil
        || files.contains { PlanRequest.names(planner.store, $0) }
      if try planner.isUpToDate || !isNamed { return true }
    }
    // Errors are reported before anything is made, or removed.
    try planner.check()
    try planner.steps.refuseReplacement(unless: request.allowed)
    if request.isLikeCoreData { try planner.steps.refuseDifferences() }
    return false
  }

  /// Whether a store has the version of the destination model that is named: once a store has replaced itself, the source
  /// model that is named beside it fits no more.
  private static func isOfNamedVersion(_ request: PlanRequest) throws(PlanError) -> Bool {
    let file = try file(of: request)
    let named = file?.completing(request) ?? request
    guard !seeksRoute(request, file), let model = try named.namedDestination(file)?.model else {
      return false
    }
    let store = try PersistentStore.planned(at: stores(of: request, file).source)
    guard ModelLocator.fits(model, store) else { return false }
    guard file?.hasMapping == true else { return true }
    let source = try named.sourceModel.map { path throws(PlanError) in
      try ModelLocator.model(named: path).restricted(to: request.configuration).model
    }
    let isOfSource = source.map { ModelLocator.fits($0, store) } ?? false
    return !isOfSource && !PlanRequest.names(store, file)
  }

  private static func file(of request: PlanRequest) throws(PlanError) -> MappingFile? {
    request.mappingFiles.isEmpty ? nil : try MappingFile.planned(request.mappingFiles)
  }

  private static func seeksRoute(_ request: PlanRequest, _ file: MappingFile?) -> Bool {
    request.requestsRoute || file?.chain != nil
  }

  private static func stores(
    of request: PlanRequest,
    _ file: MappingFile?
  ) throws(PlanError) -> (source: String, destination: String) {
    guard let source = request.source ?? file?.source.store else {
      throw .missingInput(
        "no source store is named; pass \(request.argumentNames.source) or a mapping file that names one"
      )
    }
    guard let destination = request.destination ?? file?.destination.store else {
      throw .missingInput(
        "no destination store is named; pass \(request.argumentNames.destination) or a mapping file "
          + "that names one"
      )
    }
    return (source, destination)
  }

  /// Reads the steps, and refuses those that cannot be planned for the store.
  private func check() throws(PlanError) {
    try steps.refuseOther(store)
    try steps.refuseMissingPolicies(request.knowsPolicy)
    guard destination != store.path else {
      throw .missingInput(
        "source and destination are the same file, \(destination); choose another destination"
      )
    }
  }

  /// The plan of all steps as one leg, without its fingerprint.
  func onlyLeg() throws(PlanError) -> MigrationPlan {
    try check()
    return try leg(steps.files.count)
  }

  /// Whether the store can stay as it is: it has the destination's version already, and no custom mapping
  /// changes its objects.
  private var isUpToDate: Bool {
    get throws(PlanError) {
      let inputs = try steps.inputs(steps.files.count)
      return !request.rebuilds && steps.haveOnly(store)
        && inputs.allSatisfy { $0.mapping.model == nil || $0.mapping.wasApplied(to: store) }
    }
  }

  package func plan() throws(PlanError) -> MigrationPlan {
    try check()
    let count = steps.files.count
    guard try !isUpToDate else {
      var plan = try bare(count, source(counting: nil))
      plan.isUpToDate = true
      let applied = try zip(steps.files, steps.inputs(count)).filter {
        $1.mapping.wasApplied(to: store)
      }
      plan.warnings += steps.files.flatMap(\.warnings)
      plan.warnings += applied.map { StepFiles.wasApplied($0.0.file?.path ?? "") }
      return plan.withFingerprint
    }
    try steps.refuseReplacement(unless: request.allowed)
    if request.isLikeCoreData { try steps.refuseDifferences() }
    let legs = try legs()
    let first = legs[0].steps
    var planner = self
    if legs.count > 1 {
      guard request.strategy != .copy else {
        throw .cannotCopy("the route takes \(legs.count) legs, and each makes its own store")
      }
      planner.request.strategy = .rebuild
    }
    var plan = try planner.leg(first)
    plan.warnings =
      try directInference() + steps.files.prefix(first).flatMap(\.warnings) + plan.warnings
    if legs.count > 1 { try addLater(legs, to: &plan) }
    return plan.withFingerprint
  }

  private func directInference() throws(PlanError) -> [String] {
    let mappings = try steps.all().map(\.mapping)
    return [DirectInference(inPlaceOf: steps.files, by: mappings).difference].compactMap(\.self)
  }

  /// The legs; found without reading rows.
  private func legs() throws(PlanError) -> [MigrationPlan.Leg] {
    guard steps.files.count > 1 else { return [.init(steps: 1, boundary: [])] }
    return try steps.legs(of: store) { steps throws(PlanError) in
      try RouteFusion(steps, of: store, isOn: request.fuses).legs
    }
  }

  /// Adds the steps after the first leg, checked without their sources, which do not exist yet.
  private func addLater(
    _ legs: [MigrationPlan.Leg],
    to plan: inout MigrationPlan
  ) throws(PlanError) {
    let all = try steps.all()
    let inputs = try steps.inputs(all.count)
    for index in legs[0].steps..<all.count {
      let (files, step, input) = (steps.files[index], all[index], inputs[index])
      let warnings =
        try files.warnings + input.mapping.warnings + step.warningsWithoutStore()
      plan.steps.append(
        MigrationPlan.Step(
          source: files.source.input,
          destination: files.destination.input,
          mapping: input.input(now: now),
          entities: step.mapping.entityMappings.map { EntitySuccession($0, step).change(rows: 0) }
        )
      )
      plan.warnings += warnings.map { "step \(index + 1): \($0)" }
    }
    (plan.legs, plan.strategy) = (legs, nil)
    plan.destination.model = plan.steps[all.count - 1].destination
  }

  /// A plan of some first steps without what the rows decide, and without its fingerprint.
  private func bare(
    _ count: Int,
    _ source: MigrationPlan.SourceInput
  ) throws(PlanError) -> MigrationPlan {
    let inputs = try steps.inputs(count)
    let last = inputs[count - 1].destination
    return MigrationPlan(
      bulkmigrate: MigrationPlan.format,
      source: source,
      destination: MigrationPlan.DestinationInput(
        store: destination,
        model: last.input,
        elsewhere: last.elsewhere
      ),
      steps: inputs.map { step in
        MigrationPlan.Step(
          source: step.source.input,
          destination: step.destination.input,
          mapping: step.input(now: now)
        )
      },
      legs: [MigrationPlan.Leg(steps: count, boundary: [])],
      isUpToDate: false,
      passes: [],
      memory: PlannedMemory(),
      carried: MigrationPlan.Carried(),
      losses: [],
      warnings: [store.metadata.salvage].compactMap(\.self),
      fingerprint: ""
    )
  }

  /// The plan of some first steps that are done as one leg, without its fingerprint.
  ///
  /// The strategy is chosen by the cost where none is requested.
  private func leg(_ count: Int) throws(PlanError) -> MigrationPlan {
    // A failure here is reported when the store is known to be sound.
    let found = try? steps.work(count, on: store, evaluates: request.evaluates)
    let isUnread = request.altersSource && found?.onlyAdds == true
    // It is `nil` if what will be listed cannot be known before the store is read.
    let counter =
      isUnread
      ? nil
      : found.flatMap { work in
        (try? steps.losses(count)).map { Ledger.counter($0, work) }
      }
    var plan = try bare(count, isUnread ? unreadSource : source(counting: counter))
    let work =
      if let found { found } else {
        try steps.work(count, on: store, evaluates: request.evaluates)
      }
    plan.evaluates = request.evaluates ? true : nil
    plan.takesNewIdentifier = steps.files.last?.takesNewIdentifier == true ? true : nil
    plan.keepsPartialHistory = steps.files.contains(where: \.keepsPartialHistory) ? true : nil
    let inputs = try steps.inputs(count)
    let passes = inputs[count - 1].mapping.passes
    let contents =
      isUnread
      ? try PlanContents(unread: work)
      : try PlanContents(
        work,
        steps.losses(count),
        counter,
        passes: passes,
        allowing: request.allowed,
        report: request.report
      )
    guard contents.counts.strays.isEmpty else {
      var other = self
      let copy = try MigrationPlan.copy(of: store.path, without: contents.counts.strays)
      other.store = try PersistentStore.planned(at: store.path, copy: copy)
      return try other.leg(count)
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
    plan.carried = contents.carried
    let leftOut = store.substitute?.strays ?? []
    plan.strays = leftOut.isEmpty ? nil : leftOut
    plan.losses =
      leftOut.map { MigrationPlan.Loss($0) }
      + plan.naming(elsewhere: contents.losses, in: work.layout.schema.model)
    plan.source.externalFiles = contents.externalFiles
    plan.warnings +=
      try inputs.flatMap(\.mapping.warnings) + steps.steps(count).flatMap(\.copiedTransformables)
      + contents.warnings
    return plan
  }
}

extension LocatedModel {
  /// The entities that its configuration leaves to other stores, in code-unit order; `nil` where none restricts
  /// it.
  fileprivate var elsewhere: [MigrationPlan.EntityElsewhere]? {
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
