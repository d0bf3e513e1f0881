internal import BulkVersions
internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Checks a step whose source does not exist yet, by its models and its mapping.
struct StepCheck {
  /// The mapping of the models.
  var mapping: MappingModel { step.mapping }
  /// The mapping as the plan records it.
  let input: MigrationPlan.MappingInput
  /// Warnings, a sentence each.
  let warnings: [String]
  private let step: MigrationStep

  /// Infers or reads the mapping, and checks its expressions and its policies.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - frameworkVersion: The version of Core Data that wrote the store at the beginning of the route.
  ///   - now: The value of `now()`, if the mapping uses it.
  ///   - knowsPolicy: Whether a policy with a class name exists; `nil` to check only when the plan runs.
  /// - Throws: ``PlanError`` with every obstacle.
  init(
    _ step: StepFiles,
    frameworkVersion: Int64,
    now: Double,
    knowsPolicy: ((String) -> Bool)?
  ) throws(PlanError) {
    let planned = try StepInput(step)
    if let knowsPolicy { try planned.refuseMissingPolicies(knowsPolicy) }
    self.step = try planned.step()
    if self.step.isInferred {
      warnings = planned.warnings + self.step.copiedTransformables
    } else {
      let naming = JoinTableNaming(frameworkVersion: frameworkVersion)
      let work = try InstanceWork(
        self.step.mapping,
        from: StoreSchema(self.step.source, naming: naming),
        to: StoreSchema(self.step.destination, naming: naming)
      )
      warnings = planned.warnings + self.step.copiedTransformables + work.warnings
    }
    input = planned.input(now: now)
  }

  /// The warnings for a store with a number of rows before the step, a sentence each.
  func warnings(_ rows: RowsAlongRoute) -> [String] {
    guard step.isInferred else { return warnings }
    let required = RequiredValues(to: step.destination) { rows.rows(of: $0) }
    return warnings + mapping.entityMappings.flatMap(required.warnings)
  }

  /// The changes to the entities of a store with a number of rows before the step.
  func changes(_ rows: RowsAlongRoute) -> [MigrationPlan.EntityChange] {
    mapping.entityMappings.map { mapping in
      EntitySuccession(mapping, step)
        .change(rows: mapping.sourceEntityName.map { rows.rows(of: $0) } ?? 0)
    }
  }
}
