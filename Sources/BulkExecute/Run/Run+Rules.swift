internal import BulkPlan
internal import BulkModel
internal import BulkStore

// The rules of the destination's model, which are checked when all rows are there: objects that violate them are left
// out, or nothing is made.

extension Run {
  var leavesOut: Bool { migration.rejects.action.leavesOut }

  func validate() throws {
    if leavesOut {
      try leaveOut()
      try validateByPolicies()
    } else if work.isJudged {
      // If an interrupted run wrote anything after it, nothing was found.
      if !session.transactions.isReplaying {
        try findViolations(.all)
        try refuse(conflicts)
      }
      try validateByPolicies()
    } else if !conflicts.isEmpty {
      try refuse(conflicts)
    }
  }

  /// Lets policies validate objects that satisfy the model's rules (formats/migration.md 8.6);
  /// objects that they change must still satisfy them.
  private func validateByPolicies() throws {
    guard work.step.hasPolicies else { return }
    // An interrupted run may have changed rows, and validated them unless it wrote anything after it.
    let wasReplaying = session.transactions.isReplaying
    let known = try violations.flushedBytes()
    let changes = try callValidations()
    if changes || wasReplaying, !session.transactions.isReplaying {
      try findViolations(.all)
      if try violations.flushedBytes() > known { try refuse([]) }
    }
    try FoundKeys(session).dropTable()
  }

  func findViolations(_ scope: RuleScope) throws {
    for table in work.destination.entityTables {
      let isFilled = { [sink] in sink.knowsNoNull(in: $0, of: table.name) }
      try rules.violations(in: table, scope, whereFilled: isFilled) { try add($0) }
      try report(.validation)
    }
  }

  /// Finds the objects that violate unique indexes; the first of equal ones does not.
  func findDuplicates(_ conflicts: [SchemaIndex]) throws {
    for index in conflicts {
      try rules.duplicates(against: index) { try add($0) }
      try report(.validation)
    }
  }

  /// Reports the objects that violate unique indexes that could not be made, if there are any, and all other
  /// violations found.
  ///
  /// Throws ``MigrationError/invalidObjects(_:)`` if a rule is violated; all violations are then in the report
  /// file in the state directory.
  func refuse(_ conflicts: [SchemaIndex]) throws {
    try findDuplicates(conflicts)
    if let summary = try violations.summary() {
      directory.keepsReport = true
      throw MigrationError.invalidObjects(summary)
    }
  }

  private func add(_ violation: Violation) throws {
    var violation = violation
    violation.origin = try origin(of: violation.entity, violation.key)
    try violations.add(violation)
  }

  /// The source object of an existing object, and its mapping: as its key tells, or the first that is associated with it.
  ///
  /// `nil` if a policy associated it with none.
  func origin(of entity: String, _ key: Int64) throws -> ObjectOrigin? {
    if let origin = try work.origin(of: entity, key, lookup) { return origin }
    let object = ObjectID(entityName: entity, key: key)
    for mapping in work.instances.creations.map(\.mapping) where !mapping.derivesKeys {
      let sources = try manager.rows.sources(of: object, by: mapping, associations)
      if let source = sources.first { return mapping.origin(of: source) }
    }
    return nil
  }
}
