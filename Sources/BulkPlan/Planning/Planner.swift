internal import BulkMapping
internal import BulkModel
internal import BulkStore
internal import Foundation

/// Decides what a migration will do.
public enum Planner {
  /// Makes a plan; reads models, metadata and counts, and writes nothing.
  ///
  /// - Throws: ``PlanError`` if something is missing, damaged, or cannot be migrated.
  public static func plan(_ request: PlanRequest) throws(PlanError) -> MigrationPlan {
    let inputs = try PlanInputs(request)
    var plan = MigrationPlan(
      bulkmigrate: MigrationPlan.format,
      source: inputs.sourceInput,
      destination: MigrationPlan.DestinationInput(
        store: inputs.destinationPath,
        model: inputs.destinationModel.input
      ),
      mapping: MigrationPlan.MappingInput(path: inputs.mappingPath, infer: "unmentioned"),
      isUpToDate: inputs.isUpToDate,
      passes: [],
      carried: MigrationPlan.Carried(),
      warnings: [],
      fingerprint: ""
    )
    if !inputs.isUpToDate {
      let work = try MigrationWork(inputs)
      let contents = try PlanContents(work)
      plan.passes = contents.passes
      plan.carried = contents.carried
      plan.warnings = contents.warnings
    }
    plan.fingerprint = plan.computedFingerprint
    return plan
  }
}
