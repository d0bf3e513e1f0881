package import BulkPlan
internal import BulkStore

// The walk of the work list, item by item.

extension Run {
  /// The rows of the result are those of the model's objects and of their many-to-many pairs.
  ///
  /// Throws ``MigrationError/invalidObjects(_:)`` if objects violate rules of the model.
  func write() throws -> Checkpoint {
    try walk(list.entries)
    // These read the rows that were made, which would open a log.
    let losses = try self.losses()
    if work.store.isInWriteAheadMode { try builder.useWriteAheadMode() }
    var written = checkpoint(session.transactions.count)
    written.losses = losses
    // Nothing is left to be done by the rest of the state.
    written.state = RunState(rows: rowsDone - (state.rejected?.removed ?? 0))
    written.isCopied = state.isCopied
    written.rejected = state.rejected
    if state.rejected != nil {
      (written.violationBytes, written.violationDigest) = try violations.synchronize()
    }
    (written.tallies, written.passes) = (tallies.all, migration.monitor?.passes.all ?? [])
    return written
  }

  /// Does the work that decides which objects are left out, and which losses there are.
  ///
  /// The findings of a sample are only the values that violate rules.
  func rehearse() throws -> Rehearsed {
    let isSample = migration.sample != nil
    try walk(list.entries.filter { $0.item.isRehearsed(ofSample: isSample) })
    guard !isSample else {
      try findViolations(.values)
      return Rehearsed(violations: try violations.summary())
    }
    // A run keeps what violates other rules than uniqueness where rows keep their keys.
    if !work.isJudged { try findViolations(.all) }
    return Rehearsed(
      violations: try violations.summary(),
      rejected: state.rejected?.count ?? 0,
      losses: try losses(),
      lostLinks: try firstLostLinks()
    )
  }

  private func walk(_ entries: [WorkList.Entry]) throws {
    // Objects that are left out make more counts.
    let counts = lossCounts(leavesOut ? RunState.Rejected() : nil)
    try meter.expect(entries, countingIn: counts.tables)
    var rest = entries[...]
    while let entry = rest.first {
      begin(entry)
      if case .objects = entry.item {
        let objects = rest.prefix { $0.item.creation != nil && $0.pass == entry.pass }
        for scan in try scans(of: objects.compactMap(\.item.creation)) {
          meter.begin(scan.map { .objects($0) }, scans: readings(of: scan))
          try create(scan)
        }
        rest = rest[objects.endIndex...]
      } else {
        meter.begin([entry.item])
        try perform(entry)
        rest.removeFirst()
      }
    }
  }

  private func begin(_ entry: WorkList.Entry) {
    self.entry = entry
    sink.counted.setPaused(to: entry.followsRows)
    guard let pass = migration.plan.passes.first(where: { $0.number == entry.pass }) else { return }
    migration.monitor?.passes.begin(pass, rows: rowsDone)
  }

  private func perform(_ entry: WorkList.Entry) throws {
    switch entry.item {
    case .copy: try countCopied()
    case .statement(let sql):
      try builder.create(sql)
      try report()
    case .update(let table): try update(table.source, by: [table.updateSQL])
    case .ancillary:
      for change in ancillary {
        for updates in change.updates { try update(change.table.name, by: updates) }
      }
    case .tables: try createTables()
    case .objectsOfNothing: try createWithoutSource()
    case .rows(let transfer), .pairs(let transfer): try write(transfer, pass: entry.pass)
    case .objects(let creation): try create([creation])
    case .links(let relationship): try setLinks(of: relationship)
    case .relations(let creation):
      // Rows that get further values exist already.
      sink.counted.setPaused(to: true)
      try relate(creation)
    case .endOfPass: try endPass(entry.pass)
    case .index(let index): try make(index)
    case .reference(let check):
      try check.repair(session, isKnownToHold: sink.knowsToHold(check))
      try report(.indexes)
    case .positions(let ordering):
      try report(.indexes)
      try ordering.assignPositions(session)
    case .derived(let attribute): try derive(attribute)
    case .validation: try validate()
    case .repair: if state.rejected != nil { try repair() }
    case .part(let part): try make(part)
    }
  }

  private func derive(_ attribute: DerivedAttribute) throws {
    try attribute.compute(session, now: migration.plan.valueOfNow)
    try report(.indexes)
  }

  /// Does what objects that are left out kept from being done, or changed.
  private func repair() throws {
    for index in conflicts { _ = try sink.make(index, isKnownToConflict: false) }
    for case .derived(let attribute) in list.entries.map(\.item) { try derive(attribute) }
  }

  private func createTables() throws {
    if work.step.hasPolicies { try FoundKeys(session).makeTable() }
    if !work.instances.creations.allSatisfy(\.mapping.derivesKeys) {
      try ListedAssociations(session, by: .object).makeTable()
    }
    try session.transactions.batch { try builder.createTables(definition) }
    try sink.begin()
  }

  /// Ends a pass with a transaction, whose checkpoint says that it is done.
  private func endPass(_ number: Int?) throws {
    let use = migration.monitor?.passes.end(rows: rowsDone)
    let passes = migration.plan.passes
    guard number != nil, passes.count > 1 else { return }
    try session.transactions.batch {}
    if let use { migration.monitor?.note(use, of: passes.count) }
  }
}

/// The findings of a rehearsal.
package struct Rehearsed {
  /// With the failing expressions; `nil` if there are none.
  package var violations: ViolationSummary?
  package var rejected: Int64 = 0
  package var losses: [MigrationPlan.Loss] = []
  /// The first objects that lose a link, by the relationship as losses name it.
  package var lostLinks: [String: [(entity: String, key: Int64)]] = [:]
  /// Whether objects cannot be left out, so that a run makes nothing in any case.
  package var isRefused = false
}
