internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// The last stage: validates every object of the destination against its model.
struct ValidationStage {
  let rules: ModelValidation
  private let run: StoreRun
  private let state: StateDirectory
  private let lookup: RowLookup

  init(_ run: StoreRun, in state: StateDirectory) {
    (self.run, self.state) = (run, state)
    lookup = RowLookup(run.session)
    let lacksFiles = run.migration.plan.source.externalFiles.map { $0.missing > 0 } ?? false
    rules = ModelValidation(
      run.work.destination,
      run.session,
      files: lacksFiles ? run.work.store.path : nil
    )
  }

  func findViolations(_ scope: RuleScope) throws {
    for table in run.work.destination.entityTables {
      let isFilled = { [sink = run.sink] in sink.knowsNoNull(in: $0, of: table.name) }
      try rules.violations(in: table, scope, whereFilled: isFilled) { try add($0) }
      try run.report(.validation)
    }
  }

  /// Throws ``MigrationError/invalidObjects(_:)`` if objects violate rules besides those that are known to.
  func refuseFurther(after known: Int64) throws {
    try findViolations(.all)
    if try run.violations.flushedBytes() > known { try refuse([]) }
  }

  /// Finds the objects that violate unique indexes; the first of equal ones does not.
  func findDuplicates(_ conflicts: [SchemaIndex]) throws {
    for index in conflicts {
      try rules.duplicates(against: index) { try add($0) }
      try run.report(.validation)
    }
  }

  /// Reports the objects that violate unique indexes that could not be made, if there are any, and all other
  /// violations found.
  ///
  /// Throws ``MigrationError/invalidObjects(_:)`` if a rule is violated; all violations are then in the report
  /// file in the state directory.
  func refuse(_ conflicts: [SchemaIndex]) throws {
    try findDuplicates(conflicts)
    if let summary = try run.violations.summary() {
      state.keepsReport = true
      throw MigrationError.invalidObjects(summary)
    }
  }

  private func add(_ violation: Violation) throws {
    var violation = violation
    violation.origin = try origin(of: violation.entity, violation.key)
    try run.violations.add(violation)
  }

  /// The source object of an object, as far as keys tell.
  func origin(of entity: String, _ key: Int64) throws -> ObjectOrigin? {
    try run.work.origin(of: entity, key, lookup)
  }
}
