internal import BulkLowering
internal import BulkMapping
internal import BulkPlan
internal import BulkStore
internal import BulkVersions

/// The models and mappings of a plan: read again, or those that other stores share.
enum PlannedModels {
  case read([LocatedModel])
  case shared(SharedSteps)

  init(of plan: MigrationPlan, sharing shared: SharedSteps?) throws(MigrationError) {
    do throws(PlanError) {
      if let shared, try shared.describe(plan) {
        self = .shared(shared)
        return
      }
      var models = [try LocatedModel(plan.source.model, as: .source)]
      for input in plan.steps.map(\.destination) {
        models.append(try LocatedModel(input, as: .destination))
      }
      self = .read(models)
    } catch {
      throw .plan(error)
    }
  }

  /// Throws ``MigrationError/stalePlan(_:)`` if models or mappings have changed.
  func work(
    of plan: MigrationPlan,
    on store: PersistentStore
  ) throws(MigrationError) -> MigrationWork {
    switch self {
    case .shared(let steps):
      do throws(PlanError) {
        return try steps.work(of: plan, on: store)
      } catch {
        if case .stale(let changed) = error { throw .stalePlan(changed) }
        throw .plan(error)
      }
    case .read(let models):
      try Self.refuseChanged(models, plan)
      let steps = try Self.steps(between: models, plan)
      return try MigrationError.planning(
        try MigrationWork(store, steps, evaluates: plan.evaluates ?? false)
      )
    }
  }

  private static func refuseChanged(
    _ models: [LocatedModel],
    _ plan: MigrationPlan
  ) throws(MigrationError) {
    let planned = [plan.source.model] + plan.steps.map(\.destination)
    var changed: [String] = []
    for (index, (found, planned)) in zip(models, planned).enumerated()
    where found.input.digest != planned.digest {
      switch index {
      case 0: changed.append("the source model \(planned.path) has changed")
      case models.count - 1: changed.append("the destination model \(planned.path) has changed")
      default: changed.append("the model \(planned.path) on the route has changed")
      }
    }
    guard changed.isEmpty else { throw .stalePlan(changed) }
  }

  private static func steps(
    between models: [LocatedModel],
    _ plan: MigrationPlan
  ) throws(MigrationError) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    for (index, planned) in plan.mappings.enumerated() {
      let (source, destination) = (models[index], models[index + 1])
      let mapping =
        planned.files.isEmpty ? nil : try mapping(from: source, to: destination, planned)
      var step = try MigrationError.planning(
        try MigrationStep(from: source, to: destination, mapping: mapping?.model)
      )
      step.keepsPartialHistory = plan.keepsPartialHistory ?? false
      steps.append(step)
    }
    return steps
  }

  private static func mapping(
    from source: LocatedModel,
    to destination: LocatedModel,
    _ planned: MigrationPlan.MappingInput
  ) throws(MigrationError) -> StepMapping {
    let name = planned.files.joined(separator: " and ")
    let found: StepMapping
    do throws(PlanError) {
      found = try StepMapping(try planned.file(), from: source, to: destination)
    } catch {
      // It was valid when the migration was planned.
      throw .stalePlan(["the mapping \(name) has changed: \(error)"])
    }
    guard found.digest == planned.digest else {
      throw .stalePlan(["the mapping \(name) has changed"])
    }
    return found
  }
}
