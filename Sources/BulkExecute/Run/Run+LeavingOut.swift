internal import BulkPlan
internal import BulkMapping
internal import BulkModel
internal import BulkStore

extension Run {
  /// Leaves out objects that violate rules, with the objects that depend on them, until all others
  /// satisfy the rules.
  ///
  /// Each round is a transaction: it finds violations, lists their objects and dependants, and
  /// removes all of them. Their lines are in the report of violations, which is as long at a
  /// checkpoint as that transaction made it.
  func leaveOut() throws {
    let transactions = session.transactions
    for round in state.rejected?.rounds ?? [] { transactions.replay(through: round.transaction) }
    // If an interrupted run wrote anything after it, all others satisfy the rules.
    guard !transactions.isReplaying else { return }
    let rows = try RowRejection(
      work.destination,
      session,
      takesDependants: migration.rejects.dependants == .reject
    )
    // An object that is left out for another reason takes no value from an equal one.
    var checksDuplicates = false
    while true {
      let rounds = state.rejected?.rounds ?? []
      // An object without a value at fault has none when others are removed; its links may be at
      // fault.
      let scope = rounds.isEmpty ? RuleScope.all : .links
      try find(scope, checksDuplicates ? conflicts : [])
      let offset = rounds.last?.reportBytes ?? 0
      var filtered: Int64 = 0
      try session.together {
        try violations.each(from: offset) { violation in
          guard !violation.isOfNoObject, !isOfNothingMade(violation) else {
            filtered += 1
            return
          }
          let isListed = try list(violation, in: rows)
          if isListed, let mapping = violation.origin?.mapping { tallies.leaveOut(mapping) }
          guard !isListed, violation.rule == Violation.expressionRule else { return }
          try refuseSharedObject(violation, in: rows)
        }
      }
      let count = try rows.count() + filtered
      guard count > 0 else {
        let hasChecked = checksDuplicates || rounds.contains { $0.isOfDuplicates == true }
        guard !hasChecked, !conflicts.isEmpty else { return }
        checksDuplicates = true
        continue
      }
      try rows.addDependants { dependant in
        let origin = try add(dependant, Violation.dependantRule)
        if let origin { tallies.leaveOut(origin.mapping) }
      }
      for index in checksDuplicates ? conflicts : [] {
        try rows.eachTwin(in: index) { _ = try add($0, Violation.twinRule) }
      }
      try takeOut(rows, filtered, ofDuplicates: checksDuplicates)
      checksDuplicates = false
    }
  }

  /// Lists the objects that go with a violation, and returns whether one was not listed before.
  private func list(_ violation: Violation, in rows: RowRejection) throws -> Bool {
    let object = work.object(of: violation)
    guard violation.rule == Violation.expressionRule,
      let mapping = creation(of: violation)?.mapping, let origin = violation.origin,
      !mapping.derivesKeys
    else { return try rows.add(object.entity, object.key) }
    // The key of the row is that of another object, or of none.
    guard mapping.hasPolicy else { return false }
    let keys = [origin.key]
    let found = try associations.matches(of: keys, in: mapping.index)
    let entities = try associations.entities(of: found, from: keys, by: mapping)
    // The first has the row's key, also where the policy associates it with nothing.
    var isListed = try rows.add(object.entity, object.key)
    for (offset, match) in found.enumerated() {
      let number = entities?[offset] ?? mapping.destinationNumber
      let name = work.destination.entityName(ofNumber: number)
      if try rows.add(name, match.destinationKey) { isListed = true }
    }
    return isListed
  }

  private func add(_ rejected: RejectedDependant, _ rule: String) throws -> ObjectOrigin? {
    let origin = try origin(of: rejected.entity, rejected.key)
    try violations.add(
      Violation(
        entity: rejected.entity,
        key: rejected.key,
        origin: origin,
        property: rejected.property,
        rule: rule,
        value: rejected.target
      )
    )
    return origin
  }

  /// Removes CloudKit's records of objects that were left out, where the tables that have them are kept.
  func removeRecords() throws {
    let tables = work.unmanagedTables.tables.filter { MirroringTables.describesObjects($0) }
    guard !tables.isEmpty, var rejected = state.rejected else { return }
    try session.transactions.batch {
      let rows = try RowRejection(work.destination, session, takesDependants: false)
      try violations.each(from: 0) { try rows.addRemoved($0.entity, $0.key) }
      for table in tables { rejected.links[table.name] = try rows.removeRecords(in: table.name) }
      state.rejected = rejected
    }
  }

  /// Finds violations of rules; where rows keep their keys, only unique indexes are checked.
  private func find(_ scope: RuleScope, _ conflicts: [SchemaIndex]) throws {
    if work.isJudged, conflicts.isEmpty { try findViolations(scope) }
    try findDuplicates(conflicts)
  }

  private func creation(of violation: Violation) -> InstanceCreation? {
    work.step.instances.creations.first { $0.mapping.mapping.name == violation.origin?.mapping }
  }

  /// Whether it is the filter or the collection that fails, so that no object is made.
  private func isOfNothingMade(_ violation: Violation) -> Bool {
    let attributes = creation(of: violation)?.evaluations.map(\.attribute.name) ?? []
    return violation.rule == Violation.expressionRule && !attributes.contains(violation.property)
      && [Violation.filterProperty, Violation.elementsProperty].contains(violation.property)
  }

  /// Refuses a value that failed in a row from which no object of its own is made: an object of several rows,
  /// or one of several objects of a row, cannot be identified by the row.
  private func refuseSharedObject(_ violation: Violation, in rows: RowRejection) throws {
    guard let mapping = creation(of: violation)?.mapping,
      mapping.isMerging || !mapping.derivesKeys
    else { return }
    let object = work.object(of: violation)
    // Another value of the same row failed, too.
    if mapping.derivesKeys, try rows.lists(object.entity, object.key) { return }
    // The row is one that was left out as the same.
    guard !mapping.hasPolicy, mapping.mapping.uniqueness?.kept != .quarantine else { return }
    try refuse([])
  }

  private func takeOut(
    _ rows: RowRejection,
    _ filtered: Int64,
    ofDuplicates isOfDuplicates: Bool
  ) throws {
    let transactions = session.transactions
    var rejected = state.rejected ?? RunState.Rejected()
    let removed = try rows.count()
    rejected.removed += removed
    rejected.count += removed + filtered
    try migration.refuse(rejects: rejected.count, of: work)
    for (table, key) in try rows.highestKeys() {
      rejected.highestKeys[table] = max(rejected.highestKeys[table] ?? 0, key)
    }
    rejected.rounds.append(
      RunState.Rejected.Round(
        transaction: transactions.count + 1,
        reportBytes: try violations.flushedBytes(),
        isOfDuplicates: isOfDuplicates ? true : nil
      )
    )
    try transactions.batch {
      let gone = try rows.apply()
      rejected.removed += gone.pairs
      rejected.links.merge(gone.links, uniquingKeysWith: +)
      state.rejected = rejected
    }
    try report(.validation)
  }
}

extension MigrationWork {
  /// The object that violates a rule; a value that an expression failed to compute, and a source object
  /// from which none is made, are identified by the entity mapping and the source key.
  func object(of violation: Violation) -> (entity: String, key: Int64) {
    guard violation.rule == Violation.expressionRule || violation.isOfNoObject,
      let origin = violation.origin,
      let mapping = step.instances.creations.first(where: {
        $0.mapping.mapping.name == origin.mapping
      })?
      .mapping
    else { return (violation.entity, violation.key) }
    return (mapping.destination.name, origin.key &+ mapping.keyOffset)
  }
}

extension Violation {
  static let filterProperty = "filter"
  static let elementsProperty = "forEach"

  /// The rule that an object violates because another one is left out.
  package static let dependantRule = "leads to an object that is left out"

  /// The rule of an object that repeats the values of one that is left out, too.
  static let twinRule = "the same as an object that is left out, too"
}
