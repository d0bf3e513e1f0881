package import BulkStore
package import BulkVersions
internal import BulkMapping

extension MigrationPlan {
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
    knowsPolicy: ((String) -> Bool)? = nil
  ) throws(PlanError) -> MigrationPlan {
    let steps = Array(self.steps[range])
    let inputs = try PlanInputs(
      store,
      shared,
      destination: destination,
      // A step of a route runs even if its versions have equal hashes.
      rebuilds: true,
      knowsPolicy: knowsPolicy
    )
    var request = PlanRequest()
    request.strategy = .rebuild
    request.evaluates = evaluates ?? false
    request.allowed = source.externalFiles?.followsLinks == true ? [.externalLinks] : []
    let plan = try Planner.draft(
      inputs,
      now: now ?? 0,
      request
    )
    for (index, step) in steps.enumerated() {
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
    precondition(!range.isEmpty, "a plan has at least one step")
    let steps = Array(self.steps[range])
    let models = try Self.models(of: steps)
    var inputs: [StepInput] = []
    var route: [StepFiles] = []
    for (index, mapping) in steps.map(\.mapping).enumerated() {
      let change = "the mapping \(mapping.files.joined(separator: " and ")) has changed"
      do throws(PlanError) {
        route.append(try files(from: models[index], to: models[index + 1], by: mapping))
        inputs.append(try StepInput(route[index]))
      } catch {
        // It was valid when the migration was planned.
        throw .stale(["\(change): \(error)"])
      }
      guard inputs[index].mapping.digest == mapping.digest else { throw .stale([change]) }
    }
    return SharedSteps(route, read: inputs)
  }

  func files(
    from source: LocatedModel,
    to destination: LocatedModel,
    by mapping: MappingInput
  ) throws(PlanError) -> StepFiles {
    var files = StepFiles(
      source: source,
      destination: destination,
      file: try mapping.file()
    )
    files.keepsPartialHistory = keepsPartialHistory ?? false
    return files
  }

  /// Marks the losses of values that all steps before those of the plan have added.
  package mutating func markAdded(by earlier: SharedSteps) throws(PlanError) {
    let contents = LossTrace(try earlier.steps(earlier.files.count)).contents
    for index in losses.indices where contents.added(losses[index]) {
      losses[index].isAdded = true
    }
    // The first of these steps has lost them.
    losses.removeAll { $0.cause == .missingFile }
    fingerprint = computedFingerprint
  }

  /// The models from the one before the first of some steps to the one after the last.
  private static func models(of steps: [MigrationPlan.Step]) throws(PlanError) -> [LocatedModel] {
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
