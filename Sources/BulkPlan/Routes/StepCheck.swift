internal import BulkVersions
internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Checks a step whose source is not made yet, as far as its models and its mapping tell.
struct StepCheck {
  /// How the models map.
  var mapping: MappingModel { step.mapping }
  /// What the plan says of the mapping.
  let input: MigrationPlan.MappingInput
  /// What deserves a look, a sentence each.
  let warnings: [String]
  private let step: MigrationStep

  /// Infers the mapping, or reads it, checks its expressions, and looks for its policies.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - frameworkVersion: The version of Core Data that wrote the store at the beginning of the way.
  ///   - now: What `now()` gives where the mapping asks for it.
  ///   - knowsPolicy: Whether there is a policy of a class name; `nil` to look at the run only.
  /// - Throws: ``PlanError`` with everything that is in the way.
  init(
    _ step: RouteStep,
    frameworkVersion: Int64,
    now: Double,
    knowsPolicy: ((String) -> Bool)?
  ) throws(PlanError) {
    let planned = try PlannedStep(from: step.source, to: step.destination, step.file)
    if let knowsPolicy { try planned.refuseMissingPolicies(knowsPolicy) }
    self.step = try planned.step()
    if self.step.isInferred {
      warnings = planned.warnings
    } else {
      let naming = JoinTableNaming(frameworkVersion: frameworkVersion)
      let work = try InstanceWork(
        self.step.mapping,
        from: StoreSchema(self.step.source, naming: naming),
        to: StoreSchema(self.step.destination, naming: naming)
      )
      warnings = planned.warnings + work.warnings
    }
    input = planned.input(now: now)
  }

  /// What deserves a look in a store that has so many rows before the step, a sentence each.
  func warnings(_ rows: RowsOnTheWay) -> [String] {
    guard step.isInferred else { return warnings }
    let required = RequiredValues(to: step.destination) { rows.rows(of: $0) }
    return warnings + mapping.entityMappings.flatMap(required.warnings)
  }

  /// What becomes of the entities of a store that has so many rows before the step.
  func changes(_ rows: RowsOnTheWay) -> [MigrationPlan.EntityChange] {
    mapping.entityMappings.map { mapping in
      EntitySuccession(mapping, step)
        .change(rows: mapping.sourceEntityName.map { rows.rows(of: $0) } ?? 0)
    }
  }
}
