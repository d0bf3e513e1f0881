internal import BulkMapping
public import BulkModel
internal import BulkStore
internal import Foundation

extension MappingModel {
  /// Whether an expression asks for the time, which must then be the same in every run of the plan.
  fileprivate var asksForNow: Bool { json.contains("now()") }
}

extension Date {
  fileprivate var wholeSeconds: Double { timeIntervalSinceReferenceDate.rounded(.down) }
}

/// Decides what a migration will do.
public enum Planner {
  /// Makes a plan; reads models, metadata and counts, and writes nothing.
  ///
  /// - Throws: ``PlanError`` if something is missing, damaged, or cannot be migrated.
  public static func plan(_ request: PlanRequest) throws(PlanError) -> MigrationPlan {
    let inputs = try PlanInputs(request)
    var plan = MigrationPlan(
      bulkmigrate: MigrationPlan.format,
      source: try inputs.sourceInput(),
      destination: MigrationPlan.DestinationInput(
        store: inputs.destinationPath,
        model: inputs.destinationModel.input
      ),
      mapping: MigrationPlan.MappingInput(
        path: inputs.mappingPath,
        infer: inputs.infer.rawValue,
        digest: inputs.mappingDigest,
        now: inputs.mapping.flatMap { $0.asksForNow ? Date().wholeSeconds : nil }
      ),
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
      plan.warnings = inputs.mappingWarnings + contents.warnings
    }
    plan.fingerprint = plan.computedFingerprint
    return plan
  }

  /// The model that a path names: a model, a package of versions, which means its current one, or a
  /// store, which means the model that it keeps of itself.
  ///
  /// - Throws: ``PlanError`` if there is no such model.
  public static func model(named path: String) throws(PlanError) -> ManagedObjectModel {
    try ModelLocator.model(named: path).model
  }
}
