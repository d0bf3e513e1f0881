package import BulkMapping
package import BulkModel
internal import BulkSupport
package import BulkStore

extension MigrationPlan {
  /// The plan that the same stores, models and mappings give in their present state, but for what a change of the
  /// request asks.
  ///
  /// It shows what has changed since this plan was made: see ``differences(to:)``.
  package func plannedAgain(
    _ change: (inout PlanRequest) -> Void = { _ in }
  ) throws(PlanError) -> MigrationPlan {
    var request = PlanRequest()
    request.strategy = strategy?.kind
    request.destination = destination.store
    change(&request)
    // The allowances were given when the plan was made.
    request.allowed = Set(PlanAllowance.allCases)
    // A plan that rewrites a store of its own version has work to do.
    request.rebuilds = !isUpToDate
    var plan = try Planner(
      PersistentStore.planned(at: source.store, copy: request.sourceCopy),
      SharedSteps(files(0..<steps.count)),
      into: request.destination ?? destination.store,
      now: now ?? 0,
      request
    ).plan()
    if let corrections = request.sourceCopy?.corrections {
      plan.source.corrections = corrections
      plan.fingerprint = plan.computedFingerprint
    }
    return plan
  }

  /// The plan of one step, or of several done as one, for a store that the steps before have made.
  ///
  /// It has one leg and runs like any other plan. Equal stores give equal plans, byte for byte; `now()` is that of
  /// the whole plan. Several steps must be those of a leg of ``RouteFusion``. `nil` for `knowsPolicy` checks
  /// policies only when the plan runs.
  ///
  /// A failure is ``PlanError/stale(_:)`` if a model or the mapping has changed since it was planned with, or
  /// ``PlanError/cannotFuse(_:)`` if several steps cannot be done as one.
  package func plan(
    ofSteps range: Range<Int>,
    of store: PersistentStore,
    destination: String,
    by shared: SharedSteps,
    knowsPolicy: (@Sendable (String) -> Bool)? = nil
  ) throws(PlanError) -> MigrationPlan {
    var request = PlanRequest()
    request.strategy = .rebuild
    // A step of a route runs even if its versions have equal hashes.
    request.rebuilds = true
    request.evaluates = evaluates ?? false
    request.allowed = source.externalFiles?.followsLinks == true ? [.externalLinks] : []
    request.knowsPolicy = knowsPolicy
    let plan = try Planner(store, shared, into: destination, now: now ?? 0, request).onlyLeg()
    for (index, step) in steps[range].enumerated() {
      let found = plan.steps[index].mapping
      // Steps that are shared may have been found elsewhere.
      guard found.digest == step.mapping.digest, found.infer == step.mapping.infer,
        found.now == step.mapping.now
      else {
        let path = step.mapping.path ?? "of step \(range.lowerBound + index + 1)"
        throw .stale(["the mapping \(path) has changed"])
      }
    }
    return plan.withFingerprint
  }

  /// The steps of a range, read again; stale if a model or a mapping has changed since it was planned with.
  package func steps(_ range: Range<Int>) throws(PlanError) -> SharedSteps {
    let steps = steps[range]
    let models = try models(range)
    let planned = [steps[range.lowerBound].source] + steps.map(\.destination)
    let changed = zip(models, planned).filter { $0.input.digest != $1.digest }
    guard changed.isEmpty else {
      throw .stale(changed.map { "the model \($1.path) has changed" })
    }
    var (files, inputs): ([StepFiles], [StepInput]) = ([], [])
    for (step, ends) in zip(steps, zip(models, models.dropFirst())) {
      let change = "the mapping \(step.mapping.files.joined(separator: " and ")) has changed"
      do throws(PlanError) {
        var file = try self.files(from: ends.0, to: ends.1, by: step.mapping)
        file.takesNewIdentifier =
          takesNewIdentifier == true && range.lowerBound + files.count == self.steps.count - 1
        files.append(file)
        inputs.append(try StepInput(file))
      } catch {
        // It was valid when the migration was planned.
        throw .stale(["\(change): \(error)"])
      }
      guard inputs.last?.mapping.digest == step.mapping.digest else { throw .stale([change]) }
    }
    return SharedSteps(files, read: inputs)
  }

  /// The steps of a range as they are now, changed or not.
  private func files(_ range: Range<Int>) throws(PlanError) -> [StepFiles] {
    let models = try models(range)
    let found = try zip(steps[range], zip(models, models.dropFirst())).map {
      step,
      ends throws(PlanError) in
      try files(from: ends.0, to: ends.1, by: step.mapping)
    }
    return found.renewing(takesNewIdentifier == true && range.upperBound == steps.count)
  }

  private func files(
    from source: LocatedModel,
    to destination: LocatedModel,
    by mapping: MappingInput
  ) throws(PlanError) -> StepFiles {
    var files = StepFiles(source: source, destination: destination, file: try mapping.file())
    files.keepsPartialHistory = keepsPartialHistory ?? false
    return files
  }

  /// The models from the one before the first of some steps to the one after the last, read again.
  private func models(_ range: Range<Int>) throws(PlanError) -> [LocatedModel] {
    let first = try LocatedModel(steps[range.lowerBound].source, as: .source)
    return try [first]
      + steps[range].map { step throws(PlanError) in
        try LocatedModel(step.destination, as: .destination)
      }
  }

  /// Marks the losses of values that all steps before those of the plan have added.
  package mutating func markAdded(by earlier: SharedSteps) throws(PlanError) {
    let contents = LossTrace(try earlier.all()).contents
    for index in losses.indices where contents.added(losses[index]) {
      losses[index].isAdded = true
    }
    // The first of these steps has lost them.
    losses.removeAll { $0.cause == .missingFile }
    fingerprint = computedFingerprint
  }

  /// The rows of the source of no entity; stale if the store and its model have others than the plan, which would be
  /// removed unseen.
  package func checkedStrays() throws(PlanError) -> [StrayRows] {
    guard let strays else { return [] }
    let store = try PersistentStore.planned(at: source.store)
    let model = try sourceModel()
    let schema = try PlanError.reading(source.store, try store.layout(for: model).schema)
    for rows in strays {
      let numbers = schema.entityTable(named: rows.table).map(schema.entityNumbers)
      let found = try numbers.map { numbers throws(PlanError) in
        try PlanError.reading(
          source.store,
          try StrayRows(in: rows.table, of: store, except: numbers)
        )
      }
      guard found == rows else {
        throw .stale(["the rows of no entity in \(source.store) are not those of the plan"])
      }
    }
    return strays
  }

  /// A copy of the source without its rows of no entity, to be read in its place; `nil` where it has none.
  package func sourceCopy() throws(PlanError) -> SourceCopy? {
    let strays = try checkedStrays()
    return try strays.isEmpty ? nil : Self.copy(of: source.store, without: strays)
  }

  static func copy(
    of store: String,
    without strays: [StrayRows]
  ) throws(PlanError) -> SourceCopy {
    try PlanError.reading(
      store,
      try SourceCopy(of: store, without: strays, copyingTo: TemporaryFiles.folder)
    )
  }

  /// The work that the plan describes, of several legs that of the first.
  package func work(copy: SourceCopy? = nil) throws(PlanError) -> MigrationWork {
    let steps = SharedSteps(try files(0..<legs[0].steps))
    let store = try PersistentStore.planned(at: source.store, copy: copy)
    try steps.refuseOther(store)
    return try steps.work(steps.files.count, on: store)
  }

  /// The items of the work list of the first leg in their order, a line each.
  package func workLines() throws -> [String] {
    let work = try work()
    return list(work.step, changing: isCopying ? try work.step.changes() : nil).lines
  }

  /// Refuses a model that has changed since the plan was made.
  package func destinationModel() throws(PlanError) -> ManagedObjectModel {
    let found = try LocatedModel(destination.model, as: .destination)
    guard found.input.digest == destination.model.digest else {
      throw .stale(["the model \(destination.model.path) has changed"])
    }
    return found.model
  }

  /// The expectations that the mapping of the last step has of the destination, those on entities
  /// of other stores included.
  package func expectations() throws(PlanError) -> [Expectation] {
    let steps = try files(0..<steps.count)
    guard let first = steps.first, let last = steps.last, let file = last.file,
      file.hasExpectations
    else { return [] }
    let models = ModelPair(from: first.source.whole, to: last.destination.whole)
    return try PlanError.readingMapping(try file.expectations(between: models))
  }

  package func sourceModel() throws(PlanError) -> ManagedObjectModel {
    try LocatedModel(source.model, as: .source).model
  }

  /// Whether all steps are inferred, so that rows keep their keys and dangling links; a mapping
  /// file may still request passes.
  package func isInferred() throws(PlanError) -> Bool {
    for mapping in mappings where mapping.digest != nil {
      guard try mapping.file()?.hasMapping == false else { return false }
    }
    return true
  }
}
