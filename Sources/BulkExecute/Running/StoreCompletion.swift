internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// Completes a store whose rows are all written: indexes, values that depend on other rows, validation, and
/// everything that a store has beside objects.
struct StoreCompletion {
  private let run: StoreRun
  private let stage: InstanceStages
  private let validation: ValidationStage
  private let rejects: RejectStage?
  private let recorder: CheckpointRecorder?
  /// The unique indexes that rows violate, as an interrupted run found.
  private let knownConflicts: Set<String>

  init(
    _ run: StoreRun,
    _ stage: InstanceStages,
    _ validation: ValidationStage,
    rejects: RejectStage?,
    recorder: CheckpointRecorder?,
    after checkpoint: Checkpoint?
  ) {
    self.run = run
    self.stage = stage
    self.validation = validation
    self.rejects = rejects
    self.recorder = recorder
    knownConflicts = Set(checkpoint?.conflicts ?? [])
  }

  /// Completes the store.
  ///
  /// - Returns: The objects that were left out; `nil` if there are none.
  /// - Throws: ``MigrationError/invalidObjects(_:)`` if objects violate rules of the model, and
  ///   ``StoreError`` if the store cannot be written.
  func finish() throws -> Checkpoint.Rejected? {
    let conflicts = try makeIndexes()
    try changeRows()
    let rejected = try validate(conflicts)
    let (work, session) = (run.work, run.session)
    let builder = StoreBuilder(session)
    let metadata = work.metadata
    let primaryKeys = PrimaryKeys(work, session, reserving: rejected?.highestKeys ?? [:])
    if run.changes == nil {
      try builder.complete(
        run.definition,
        metadata: metadata,
        fill: try UnmanagedCopy(work, session, run.sink).copy,
        primaryKeys: primaryKeys.entries
      )
    } else {
      try builder.complete(
        copied: run.definition,
        metadata: metadata,
        primaryKeys: primaryKeys.entries()
      )
    }
    if work.store.isInWriteAheadMode { try builder.useWriteAheadMode() }
    return rejected
  }

  /// Finds which objects are left out, and completes nothing.
  ///
  /// - Returns: The objects; `nil` if there are none.
  /// - Throws: ``MigrationError/invalidObjects(_:)`` if objects cannot be left out, and ``StoreError`` if the
  ///   store cannot be written.
  func judge() throws -> Checkpoint.Rejected? {
    let conflicts = try makeIndexes()
    try repairReferences()
    return try rejects.flatMap { try rejected($0, conflicts) }
  }

  /// Finds what violates rules of the model.
  func findBroken(_ scope: RuleScope) throws {
    try validation.findViolations(of: run.sink, asking: scope) { try run.report(.validation) }
  }

  /// Makes the indexes.
  ///
  /// - Returns: The unique ones that objects violate; validation will name the objects.
  private func makeIndexes() throws -> [SchemaIndex] {
    recorder?.isJudging = true
    var conflicts: [SchemaIndex] = []
    for index in run.changes?.newIndexes ?? run.work.indexStyle.indexes {
      if try !make(index) {
        conflicts.append(index)
        recorder?.conflicts.append(index.name)
      }
      try run.report(.indexes)
    }
    return conflicts
  }

  /// Makes an index.
  ///
  /// Where duplicates are left out, a unique index is made with them first: it shows them in its order, and once they
  /// are taken out it is unique.
  ///
  /// - Returns: Whether it is as it should be; `false` if objects violate it.
  private func make(_ index: SchemaIndex) throws -> Bool {
    let isKnown = knownConflicts.contains(index.name)
    guard showsDuplicates(index) else {
      return try run.sink.make(index, isKnownToConflict: isKnown)
    }
    _ = try run.sink.make(index.withRepeats, isKnownToConflict: false)
    let isReplaying = run.session.transactions.isReplaying
    if try isReplaying ? isKnown : validation.hasDuplicates(in: index) { return false }
    try run.session.makeUnique(index)
    return true
  }

  private func showsDuplicates(_ index: SchemaIndex) -> Bool {
    rejects != nil && index.isUnique && index.condition == nil
  }

  /// Updates values that depend on rows of other tables.
  private func changeRows() throws {
    try repairReferences()
    for ordering in run.work.transfers.orderings { try ordering.assignPlaces(run.session) }
    try deriveAttributes()
  }

  private func deriveAttributes() throws {
    for derived in run.work.destination.derivedAttributes {
      try derived.compute(run.session, now: run.migration.plan.valueOfNow)
      try run.report(.indexes)
    }
  }

  private func repairReferences() throws {
    for check in run.work.instances.checks {
      try check.repair(run.session, isKnownToHold: run.sink.knowsToHold(check))
      try run.report(.indexes)
    }
  }

  /// Validates all objects.
  ///
  /// - Returns: Those that were left out; `nil` if there are none.
  private func validate(_ conflicts: [SchemaIndex]) throws -> Checkpoint.Rejected? {
    guard let rejects else {
      try refuse(conflicts)
      return nil
    }
    guard let rejected = try rejected(rejects, conflicts) else { return nil }
    for index in conflicts {
      if showsDuplicates(index) {
        try run.session.makeUnique(index)
      } else {
        _ = try run.sink.make(index, isKnownToConflict: false)
      }
    }
    try deriveAttributes()
    return rejected
  }

  /// Leaves out what breaks rules; `nil` if nothing does.
  private func rejected(
    _ rejects: RejectStage,
    _ conflicts: [SchemaIndex]
  ) throws -> Checkpoint.Rejected? {
    let rejected = try rejects.leaveOut(conflicts: conflicts)
    try validateByPolicies()
    if run.hasPolicies { try FoundKeys(run.session).dropTable() }
    return rejected.rounds.isEmpty ? nil : rejected
  }

  /// Lets policies validate what keeps to the model's rules (core-data-migrator.md 8.6); what they change must do so
  /// still.
  private func validateByPolicies() throws {
    guard run.hasPolicies else { return }
    // An interrupted run may have changed rows, and validated them unless it wrote anything after it.
    let wasReplaying = run.session.transactions.isReplaying
    let changes = try stage.validate()
    guard changes || wasReplaying, !run.session.transactions.isReplaying else { return }
    try validation.refuseFurther(in: run.sink) { try run.report(.validation) }
  }

  private func refuse(_ conflicts: [SchemaIndex]) throws {
    if !run.work.keepsKeys {
      // If an interrupted run wrote anything after it, nothing was found.
      if !run.session.transactions.isReplaying {
        try validation.run(conflicts: conflicts, of: run.sink) { try run.report(.validation) }
      }
      try validateByPolicies()
      if run.hasPolicies { try FoundKeys(run.session).dropTable() }
    } else if !conflicts.isEmpty {
      try validation.refuse(conflicts) { try run.report(.validation) }
    }
  }
}

/// Copies the rows of the persistent history and of unmanaged tables.
struct UnmanagedCopy {
  private let work: MigrationWork
  private let session: StoreSession
  private let sink: any RowSink
  private let changes: [String: AncillaryChange]

  /// - Throws: ``StoreError`` if the source cannot be read.
  init(_ work: MigrationWork, _ session: StoreSession, _ sink: any RowSink) throws {
    (self.work, self.session, self.sink) = (work, session, sink)
    let all = try work.ancillaryChanges()
    changes = Dictionary(all.map { ($0.table.name, $0) }) { first, _ in first }
  }

  /// Copies the rows of a table that exists already.
  func copy(_ table: FileTable) throws {
    guard let change = changes[table.name] else {
      _ = try sink.copy(table)
      return
    }
    let rows = try work.store.rows(in: table.name)
    try sink.fill(by: [change.transfer], streamsLargeValues: false) { sink in
      var ranges = try KeyRanges(of: table.name, rows: rows, session)
      while let range = try ranges.nextRange() { _ = try sink.append(range) }
    }
    try session.run(change.revisions(session), over: table.name, rows: rows) {}
  }
}
