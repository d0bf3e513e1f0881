internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// The last stage: validates every object of the destination against its model.
struct ValidationStage {
  private let work: MigrationWork
  private let validation: ModelValidation
  private let state: StateDirectory

  private let violations: ViolationReport
  private let origins: ObjectOrigins

  init(
    _ work: MigrationWork,
    _ session: StoreSession,
    in state: StateDirectory,
    violations: ViolationReport
  ) {
    self.violations = violations
    origins = ObjectOrigins(work, session)
    self.work = work
    validation = ModelValidation(work.destination, session)
    self.state = state
  }

  /// Validates all tables.
  ///
  /// - Parameters:
  ///   - conflicts: The unique indexes that could not be made.
  ///   - sink: Where the rows were written.
  ///   - report: Called regularly while the stage runs.
  /// - Throws: ``MigrationError/invalidObjects(_:)`` if a rule is violated; all violations are then in the
  ///   report file in the state directory.
  func run(
    conflicts: [SchemaIndex],
    of sink: any RowSink,
    _ report: () throws -> Void
  ) throws {
    for table in work.destination.entityTables {
      let isFilled = { sink.knowsNoNull(in: $0, of: table.name) }
      try validation.violations(in: table, whereFilled: isFilled) { try add($0) }
      try report()
    }
    try refuse(conflicts, report)
  }

  /// Reports the objects that violate unique indexes, if there are any, and all other violations found.
  ///
  /// - Parameters:
  ///   - conflicts: The unique indexes that could not be made.
  ///   - report: Called regularly while the stage runs.
  /// - Throws: ``MigrationError/invalidObjects(_:)`` if a rule is violated.
  func refuse(_ conflicts: [SchemaIndex], _ report: () throws -> Void) throws {
    for index in conflicts {
      try validation.duplicates(against: index) { try add($0) }
      try report()
    }
    if let summary = try violations.summary() {
      state.keepsReport = true
      throw MigrationError.invalidObjects(summary)
    }
  }

  private func add(_ violation: Violation) throws {
    var violation = violation
    violation.origin = try origins.origin(of: violation.entity, violation.key)
    try violations.add(violation)
  }
}
