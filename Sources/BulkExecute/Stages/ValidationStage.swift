internal import BulkLowering
internal import BulkStore

/// The last stage: validates every object of the destination against its model.
struct ValidationStage {
  private let work: MigrationWork
  private let validation: ModelValidation
  private let state: StateDirectory

  private let violations: ViolationReport
  private let derived: DerivedAssociations

  init(_ run: StoreRun, in state: StateDirectory) {
    (work, violations, self.state) = (run.work, run.violations, state)
    derived = DerivedAssociations(run.work, run.session)
    validation = ModelValidation(run.work.destination, run.session)
  }

  /// Validates all tables.
  ///
  /// - Parameters:
  ///   - conflicts: The unique indexes that could not be made.
  ///   - sink: The sink of the rows.
  ///   - report: Called regularly while the stage runs.
  /// - Throws: ``MigrationError/invalidObjects(_:)`` if a rule is violated; all violations are then in the
  ///   report file in the state directory.
  func run(
    conflicts: [SchemaIndex],
    of sink: any RowSink,
    _ report: () throws -> Void
  ) throws {
    try findViolations(of: sink, asking: .all, report)
    try refuse(conflicts, report)
  }

  /// Finds the objects of all tables that violate rules of a scope.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read, and any error of `report`, which is called regularly.
  func findViolations(
    of sink: any RowSink,
    asking scope: RuleScope,
    _ report: () throws -> Void
  ) throws {
    for table in work.destination.entityTables {
      let isFilled = { sink.knowsNoNull(in: $0, of: table.name) }
      try validation.violations(in: table, scope, whereFilled: isFilled) { try add($0) }
      try report()
    }
  }

  /// Refuses objects that violate rules besides those that are known to.
  ///
  /// - Throws: ``MigrationError/invalidObjects(_:)`` if there are any.
  func refuseFurther(in sink: any RowSink, _ report: () throws -> Void) throws {
    let known = try violations.flushedBytes()
    try findViolations(of: sink, asking: .all, report)
    if try violations.flushedBytes() > known { try refuse([], report) }
  }

  /// Finds the objects that violate unique indexes; the first of equal ones does not.
  func findDuplicates(_ conflicts: [SchemaIndex], _ report: () throws -> Void) throws {
    for index in conflicts {
      try validation.duplicates(against: index) { try add($0) }
      try report()
    }
  }

  /// Whether objects violate a unique index that was made with repeated entries.
  func hasDuplicates(in index: SchemaIndex) throws -> Bool {
    try validation.hasDuplicates(in: index)
  }

  /// The source object from which an object was made; `nil` if none is known.
  func origin(of entity: String, _ key: Int64) throws -> ObjectOrigin? {
    try derived.origin(of: entity, key)
  }

  /// Reports the objects that violate unique indexes, if there are any, and all other violations found.
  ///
  /// - Parameters:
  ///   - conflicts: The unique indexes that could not be made.
  ///   - report: Called regularly while the stage runs.
  /// - Throws: ``MigrationError/invalidObjects(_:)`` if a rule is violated.
  func refuse(_ conflicts: [SchemaIndex], _ report: () throws -> Void) throws {
    try findDuplicates(conflicts, report)
    if let summary = try violations.summary() {
      state.keepsReport = true
      throw MigrationError.invalidObjects(summary)
    }
  }

  private func add(_ violation: Violation) throws {
    var violation = violation
    violation.origin = try derived.origin(of: violation.entity, violation.key)
    try violations.add(violation)
  }
}
