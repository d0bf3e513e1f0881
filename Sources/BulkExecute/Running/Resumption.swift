internal import BulkPlan
internal import BulkSupport
internal import BulkStore

/// Determines the valid state of an interrupted migration, and removes the rest.
struct Resumption {
  let state: StateDirectory
  let plan: MigrationPlan
  let source: PersistentStore
  let limits: RunLimits
  let isStopped: () -> Bool

  /// Returns the checkpoint to resume from; `nil` if the interruption came before the first.
  ///
  /// `all` are the valid ones of the plan, the newest first.
  func begin(after newest: Checkpoint, of all: [Checkpoint]) throws -> Checkpoint? {
    let checkpoint = state.mustCopy(newest) ? try copied(newest, all) : try inPlace(newest, all)
    guard let checkpoint else {
      try state.begin(plan)
      try state.recordOwner(limits)
      return nil
    }
    state.removeLeftovers(keeping: files(of: checkpoint))
    try state.folder.keepIfGone(plan)
    return checkpoint
  }

  private func inPlace(_ newest: Checkpoint, _ all: [Checkpoint]) throws -> Checkpoint? {
    state.takeOver(newest)
    if isPublished(newest) { return try published(newest) }
    guard DurableFiles.exists(state.scratchStore) else { return nil }
    // The next number is taken before the files are touched, so that only one attempt does; it has the limits of this
    // one, which hold for the next, too.
    try state.checkpoints.publish(newest)
    return try checkpoint(newest, all, of: state.scratchStore)
  }

  /// With the limits of this attempt, which hold for the next one, too.
  private func published(_ newest: Checkpoint) throws -> Checkpoint {
    if newest.limits?.losses != limits.losses || newest.limits?.rejects != limits.rejects {
      try state.checkpoints.publish(newest)
    }
    return newest
  }

  /// Resumes with copies of the files of an attempt that may still be running, and fences it off: the next
  /// checkpoint number that it wants to publish is taken.
  private func copied(_ newest: Checkpoint, _ all: [Checkpoint]) throws -> Checkpoint? {
    let scratch = state.scratchStore(of: newest.attempt)
    if isPublished(newest) {
      state.takeOver(newest)
      return try published(newest)
    }
    guard DurableFiles.exists(scratch) else { return nil }
    try copy(scratch, to: state.scratchStore)
    // The former attempt may remove its files when it ends.
    let values = "\(state.path)/external-\(newest.attempt)"
    if newest.isFinished, DurableFiles.exists(values) {
      try FolderCopy(linksFiles: true).make(of: values, as: state.scratchExternalData)
    }
    guard var checkpoint = try checkpoint(newest, all, of: state.scratchStore) else { return nil }
    if checkpoint.violationBytes > 0 {
      try copy(state.violations(of: newest.attempt), to: state.violations)
    }
    checkpoint.attempt = state.attempt
    try state.checkpoints.publish(checkpoint)
    try state.recordOwner(limits)
    return checkpoint
  }

  private func isPublished(_ newest: Checkpoint) -> Bool {
    StateDirectory.isPublished(newest, as: plan.destination.store, from: state.path)
  }

  /// Whether the external values of a finished store are as they were left, or published; `true` where there are none.
  private func hasSoundExternalData(_ newest: Checkpoint) -> Bool {
    guard newest.isFinished, newest.hasExternalData else { return true }
    let folders = [newest.attempt, state.attempt].map { "\(state.path)/external-\($0)" }
    guard let folder = folders.first(where: DurableFiles.exists) else {
      return DurableFiles.exists(DestinationFiles(plan.destination.store).externalSupport)
    }
    return FolderDigest.digest(of: folder) == newest.externalDigest
  }

  private func copy(_ path: String, to copy: String) throws(MigrationError) {
    do {
      try ScratchCopy.write(path, to: copy)
    } catch {
      // A process is writing, so it is still at work.
      guard error.code != EBUSY else {
        throw .locked(stateDirectory: state.path, owner: StateLock.owner(in: state.path))
      }
      throw error.asMigrationError
    }
  }

  private func checkpoint(
    _ newest: Checkpoint,
    _ all: [Checkpoint],
    of store: String
  ) throws -> Checkpoint? {
    guard hasSoundExternalData(newest) else { return nil }
    if newest.isWhole {
      return try isSound(store, newest) && hasSoundReport(newest) ? newest : nil
    }
    guard
      newest.transaction > 0, let last = try lastTransaction(of: store, newest), last > 0,
      let found = all.first(where: { $0.transaction == last && $0.attempt == newest.attempt }),
      try hasSoundSegments(found), hasSoundReport(found)
    else { return nil }
    return found
  }

  /// Throws where a segment cannot be opened or read: it may be sound, so the state must stay.
  private func hasSoundSegments(_ checkpoint: Checkpoint) throws(MigrationError) -> Bool {
    do {
      try checkpoint.verifySegments(in: state.path, isStopped: isStopped)
      return true
    } catch AssociationError.stopped {
      throw .cancelled
    } catch AssociationError.noCompressionMemory {
      throw .inputOutput(path: state.path, reason: "\(AssociationError.noCompressionMemory)")
    } catch let error as FileError where error.code != ENOENT {
      throw .inputOutput(path: error.path, reason: error.reason)
    } catch {
      return false
    }
  }

  private func hasSoundReport(_ checkpoint: Checkpoint) -> Bool {
    ViolationReport.isSound(state.violations(of: checkpoint.attempt), checkpoint)
  }

  private func isSound(_ store: String, _ newest: Checkpoint) throws -> Bool {
    if let moment = newest.moment { return (try? DurableFiles.moment(of: store)) == moment }
    return try unlessStopped { () throws(StoreError) in
      try scratchStore(store, newest).isSound(isStopped: isStopped)
    } ?? false
  }

  /// `nil` if the store has changed.
  private func lastTransaction(of store: String, _ newest: Checkpoint) throws -> Int64? {
    try unlessStopped { () throws(StoreError) in
      try scratchStore(store, newest).lastTransaction(isStopped: isStopped)
    } ?? nil
  }

  private func scratchStore(_ path: String, _ newest: Checkpoint) -> ScratchStore {
    ScratchStore(path, copiedFrom: newest.isCopied ? source.file : nil)
  }

  /// `nil` if the store is damaged or gone; other errors are thrown, and the state stays.
  private func unlessStopped<T>(_ examine: () throws(StoreError) -> T) throws(MigrationError) -> T?
  {
    do throws(StoreError) {
      return try examine()
    } catch {
      switch error.cause {
      case .interruption: throw .cancelled
      case .corruption, .malfunction, .constraint, .tooLarge: return nil
      case .busy, .diskFull, .cannotOpen, .other:
        throw .inputOutput(path: state.path, reason: error.reason)
      }
    }
  }

  private func files(of checkpoint: Checkpoint) -> Set<String> {
    var names = Set(checkpoint.associations.flatMap(\.segments).map(\.name))
    let store = "destination-\(checkpoint.attempt).sqlite"
    names.formUnion([store, "\(store)-journal", ScratchStore(store).pageLog])
    if checkpoint.isFinished { names.insert("external-\(checkpoint.attempt)") }
    if checkpoint.violationBytes > 0 { names.insert("violations-\(checkpoint.attempt).jsonl") }
    return names
  }
}
