internal import BulkPlan
internal import BulkSupport
internal import BulkStore

/// One attempt to carry out a plan, from its beginning or from a checkpoint.
struct MigrationAttempt {
  let migration: Migration
  let check: PlanCheck
  let budget: MemoryBudget
  private var plan: MigrationPlan { migration.plan }

  /// Makes the destination, or leaves a state directory that can be resumed.
  ///
  /// `newest` is the checkpoint of all to resume from, and `nil` to begin.
  func run(
    in state: StateDirectory,
    after newest: Checkpoint?,
    of all: [Checkpoint]
  ) throws -> MigrationRecord {
    let before = try begin(state, after: newest, of: all)
    Failpoint.reached(.begun)
    migration.monitor?.isControlled = true
    var finished = try finished(state, after: before)
    try refuse(finished, state)
    try publish(finished, state)
    finished.measures = migration.monitor?.measure(.publishing)
    var outcome = outcome(finished, after: before)
    if outcome.rejected > 0 {
      outcome.rejectFolderPath = try RejectFiles(state, check.work, migration)
        .write(after: finished)
    }
    if migration.keepsReceipt { try state.folder.keepIfGone(plan) }
    try state.remove(
      keeping: migration.keepsReceipt ? finished : nil,
      isRepeated: migration.shared != nil
    )
    return outcome
  }

  /// Refuses to publish a store that exceeds a limit; the limit of a resumed run applies to earlier
  /// attempts, too.
  private func refuse(_ finished: Checkpoint, _ state: StateDirectory) throws {
    guard !Publication(plan, state: state).isDone else { return }
    try migration.refuse(finished.losses)
    try migration.refuse(rejects: finished.rejected?.count ?? 0, of: check.work)
  }

  /// Returns the checkpoint to resume from; `nil` if nothing is kept of the former work.
  private func begin(
    _ state: StateDirectory,
    after newest: Checkpoint?,
    of all: [Checkpoint]
  ) throws -> Checkpoint? {
    guard let newest else {
      migration.decided("begins in \(state.path)")
      try migration.begin(in: state)
      return nil
    }
    let before = try Resumption(
      state: state,
      plan: plan,
      source: check.store,
      limits: migration.limits
    ) {
      migration.mustStop
    }.begin(after: newest, of: all)
    // Discarded work was measured, too.
    migration.monitor?.resume(after: newest.measures)
    migration.decided(Self.text(of: before, in: state))
    return before
  }

  private static func text(of before: Checkpoint?, in state: StateDirectory) -> String {
    guard let before else {
      return "begins again in \(state.path): no checkpoint belongs to the store in it"
    }
    let left =
      before.isFinished
      ? ", which only has to be published" : before.isWhole ? ", which is whole" : ""
    return
      "resumes after checkpoint \(before.number) in \(state.path), with \(before.rows.grouped) rows\(left)"
  }

  /// Completes the scratch store, and returns whether it has external values: at least as many as were planned.
  private func finish(_ state: StateDirectory, rows: Int64) throws -> Bool {
    var copied: Int64 = -1
    var hasExternalData = false
    let numbers = try check.store.applicationNumbers()
    do throws(MigrationError) {
      hasExternalData = try Publication(plan, state: state).finish(
        linksFiles: migration.isLaterLeg,
        numbers
      ) { files in
        if files != copied { migration.note(migration.progress(files: files, rows: rows)) }
        copied = files
        try migration.stopIfRequested()
      }
    } catch {
      // The whole store is kept until the value can be read.
      guard case .cannotCreate(let path, let reason) = error else { throw error }
      throw MigrationError.inputOutput(path: path, reason: reason)
    }
    let missing = (plan.source.externalFiles?.count ?? 0) - max(copied, 0)
    guard missing <= 0 else {
      throw MigrationError.inputOutput(
        path: ExternalBinaryData.supportFolder(of: plan.source.store),
        reason: "\(missing) of the planned files with external values are gone"
      )
    }
    return hasExternalData
  }

  private func finished(_ state: StateDirectory, after checkpoint: Checkpoint?) throws -> Checkpoint
  {
    if let checkpoint, checkpoint.isFinished { return checkpoint }
    var whole = try whole(state, after: checkpoint)
    try refuseContradictions(in: state.scratchStore)
    whole.hasExternalData = try finish(state, rows: whole.rows)
    whole.externalDigest = FolderDigest.digest(of: state.scratchExternalData)
    whole.isFinished = true
    whole.measures = migration.monitor?.measure()
    // After an interruption a published store is recognized by this checkpoint, and one that cannot be
    // published is kept.
    if !migration.isDurable {
      whole.moment = try? DurableFiles.moment(of: state.scratchStore)
    }
    try publish(whole, in: state, with: migration.isDurable ? nil : plan)
    try state.giveUpReceipt(of: plan)
    return whole
  }

  private func refuseContradictions(in path: String) throws {
    var found: [String] = []
    do {
      let (model, hashes) = (check.work.destination.model, check.work.destination.versionHashes)
      try PersistentStore(path: path).checkDeclarations(by: model, hashes: hashes) {
        found.append("\($0)")
      }
    } catch let error as StoreError {
      found.append("\(error)")
    }
    guard found.isEmpty else {
      throw MigrationError.contradictoryStore(found, destination: plan.destination.store)
    }
  }

  private func whole(_ state: StateDirectory, after checkpoint: Checkpoint?) throws -> Checkpoint {
    if let checkpoint, checkpoint.isWhole { return checkpoint }
    var whole = try Run.make(
      migration,
      check.work,
      check.reading,
      budget,
      in: state,
      after: checkpoint
    ) { try $0.write() }
    migration.note(migration.progress(.publishing, rows: whole.rows))
    try check.confirm(migration.stopIfRequested)
    whole.isWhole = true
    whole.sourceReading = check.reading.reading
    whole.measures = migration.monitor?.measure()
    if migration.isDurable {
      try DurableFiles.synchronize(state.scratchStore)
      try publish(whole, in: state)
    }
    return whole
  }

  private func publish(
    _ checkpoint: Checkpoint,
    in state: StateDirectory,
    with plan: MigrationPlan? = nil
  ) throws {
    let number =
      try plan.map { try state.publish(checkpoint, with: $0) }
      ?? state.checkpoints.publish(checkpoint)
    migration.monitor?.noteProgress((number, checkpoint.rows))
  }

  private func publish(_ finished: Checkpoint, _ state: StateDirectory) throws {
    let publication = Publication(plan, state: state)
    if !publication.isDone {
      // The source was not checked if an earlier process finished the store.
      try check.confirm(migration.stopIfRequested)
      guard !check.store.hasChanged else { throw MigrationError.changedSource(check.store.path) }
    }
    try publication.publish(hasExternalData: finished.hasExternalData)
  }

  private func outcome(_ finished: Checkpoint, after before: Checkpoint?) -> MigrationRecord {
    let destination = plan.destination.store
    var outcome = MigrationRecord(
      destinationPath: destination,
      rows: finished.rows,
      size: ByteCount(bytes: (try? DurableFiles.size(of: destination)) ?? 0)
    )
    outcome.losses = finished.losses
    outcome.rejected = finished.rejected?.count ?? 0
    outcome.passes = finished.passes
    outcome.tallies = finished.tallies
    outcome.uncheckedRules = check.work.uncheckedRules
    outcome.rowsBefore = before.map(\.rows)
    outcome.wasWhole = before?.isFinished ?? false
    return outcome
  }
}
