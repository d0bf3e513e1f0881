internal import BulkMapping
public import BulkModel
internal import Foundation

extension Date {
  /// The moment in seconds since 2001-01-01 00:00:00 UTC, without fractions.
  var wholeSeconds: Double { timeIntervalSinceReferenceDate.rounded(.down) }
}

/// Decides what a migration will do.
public enum Planner {
  /// Makes a plan; reads models, metadata and counts, and writes nothing.
  ///
  /// - Throws: ``PlanError`` if something is missing, damaged, or cannot be migrated.
  public static func plan(_ request: PlanRequest) throws(PlanError) -> MigrationPlan {
    let file = try request.mapping.map { path throws(PlanError) in
      try MappingFile.planned(path)
    }
    let now = Date().wholeSeconds
    guard request.asksForRoute || file?.chain != nil else {
      return try plan(try PlanInputs(request, file), now: now)
    }
    let (source, destination) = try PlanInputs.stores(of: request, file)
    let store = try PlanInputs.store(source)
    return try RoutePlan(
      store,
      try RouteSearch(request, file).way(of: store).steps,
      destination: destination,
      now: now,
      request
    ).plan()
  }

  /// Makes a plan of inputs that are found; `now()` gives some seconds since 2001-01-01 00:00:00 UTC.
  static func plan(_ inputs: PlanInputs, now: Double) throws(PlanError) -> MigrationPlan {
    var plan = MigrationPlan(
      bulkmigrate: MigrationPlan.format,
      source: try inputs.sourceInput(),
      destination: MigrationPlan.DestinationInput(
        store: inputs.destinationPath,
        model: inputs.destinationModel.input
      ),
      mapping: inputs.mappingInput(now: now),
      isUpToDate: inputs.isUpToDate,
      passes: [],
      memory: PlannedMemory(),
      carried: MigrationPlan.Carried(),
      warnings: [],
      fingerprint: ""
    )
    if !inputs.isUpToDate {
      let work = try MigrationWork(inputs)
      let contents = try PlanContents(work)
      plan.passes = contents.passes
      plan.memory = contents.memory
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
