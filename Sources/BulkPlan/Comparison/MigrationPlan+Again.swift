package import BulkLowering
package import BulkMapping
package import BulkModel
internal import BulkPlatform
package import BulkStore
package import BulkVersions

extension MigrationPlan {
  /// The plan that the same stores, models and mappings give in their present state.
  ///
  /// It shows what has changed since this plan was made: see ``differences(to:)``. `nil` for `knowsPolicy` leaves
  /// policies unchecked.
  package func plannedAgain(
    knowsPolicy: (@Sendable (String) -> Bool)? = nil
  ) throws(PlanError) -> MigrationPlan {
    try plannedAgain(knowsPolicy) {
      $0.strategy = strategy?.kind
      $0.destination = destination.store
    }
  }

  /// The plan of a store at a path that is to be equal to the destination, made in another way: all
  /// rows are written again, and mapping models are evaluated row by row.
  package func planOfExpectedStore(
    at path: String,
    copy: SourceCopy?,
    knowsPolicy: (@Sendable (String) -> Bool)? = nil
  ) throws(PlanError) -> MigrationPlan {
    try plannedAgain(knowsPolicy) {
      $0.strategy = hasSeveralLegs ? nil : .rebuild
      $0.sourceCopy = copy
      $0.destination = path
      $0.evaluates = true
    }
  }

  /// The plan that makes the same store by rewriting all rows, so that each row can be followed.
  package func planOfRebuilding(
    copy: SourceCopy?,
    knowsPolicy: (@Sendable (String) -> Bool)? = nil
  ) throws(PlanError) -> MigrationPlan {
    try plannedAgain(knowsPolicy) {
      $0.strategy = .rebuild
      $0.sourceCopy = copy
    }
  }

  /// The plan by which objects that were left out are migrated with all others, from the same source or a
  /// corrected copy that is read in its place, by the mappings as they are now.
  package func planOfReplay(
    reading corrected: SourceCopy?,
    into destination: String
  ) throws(PlanError) -> MigrationPlan {
    try plannedAgain(nil) {
      $0.strategy = strategy?.kind
      $0.sourceCopy = corrected
      $0.destination = destination
    }
  }

  private func plannedAgain(
    _ knowsPolicy: (@Sendable (String) -> Bool)?,
    _ configure: (inout PlanRequest) -> Void
  ) throws(PlanError) -> MigrationPlan {
    var request = PlanRequest()
    request.knowsPolicy = knowsPolicy
    configure(&request)
    // The allowances were given when the plan was made.
    request.allowed = Set(PlanAllowance.allCases)
    // A plan that rewrites a store of its own version has work to do.
    request.rebuilds = !isUpToDate
    var plan = try RoutePlan(
      store: try PersistentStore.planned(at: source.store, copy: request.sourceCopy),
      shared: SharedSteps(try filesOfEachStep()),
      destination: request.destination ?? destination.store,
      now: now ?? 0,
      request: request
    ).plan()
    if let corrections = request.sourceCopy?.corrections {
      plan.source.corrections = corrections
      plan.fingerprint = plan.computedFingerprint
    }
    return plan
  }

  /// A copy of the source without its rows of no entity, to be read in its place; `nil` where it has none.
  package func sourceCopy() throws(PlanError) -> SourceCopy? {
    guard let strays else { return nil }
    return try Self.copy(of: source.store, without: strays)
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
    let count = legs[0].steps
    let inputs = try PlanInputs(
      try PersistentStore.planned(at: source.store, copy: copy),
      SharedSteps(Array(try filesOfEachStep().prefix(count))),
      destination: destination.store,
      rebuilds: true,
      knowsPolicy: nil
    )
    return try inputs.work()
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
    let steps = try filesOfEachStep()
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

  private func filesOfEachStep() throws(PlanError) -> [StepFiles] {
    var last = try LocatedModel(source.model, as: .source)
    var files: [StepFiles] = []
    for step in steps {
      let model = try LocatedModel(step.destination, as: .destination)
      files.append(try self.files(from: last, to: model, by: step.mapping))
      last = model
    }
    return files
  }
}
