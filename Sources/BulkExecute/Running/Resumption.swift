internal import BulkAssociation
internal import BulkCoding
internal import BulkPlan
internal import BulkPlatform
internal import BulkStore

/// Finds out what of an interrupted migration counts, and removes the rest.
struct Resumption {
  private let state: StateDirectory
  private let plan: MigrationPlan
  private let limits: RunLimits
  private let isStopped: () -> Bool

  /// - Parameters:
  ///   - state: Where the migration was interrupted.
  ///   - plan: Its plan.
  ///   - limits: The limits of the run that goes on.
  ///   - isStopped: Is asked every now and then whether to stop.
  init(
    _ state: StateDirectory,
    _ plan: MigrationPlan,
    _ limits: RunLimits,
    isStopped: @escaping () -> Bool
  ) {
    self.state = state
    self.plan = plan
    self.limits = limits
    self.isStopped = isStopped
  }

  /// Prepares to go on.
  ///
  /// - Returns: The checkpoint to go on from; `nil` where the interruption came before the first, so that
  ///   everything begins anew.
  /// - Throws: ``MigrationError/nothingToResume(_:)``, and ``MigrationError/stalePlan(_:)`` where the
  ///   checkpoints are those of another plan.
  func begin() throws -> Checkpoint? {
    guard state.checkpoints.areThere else { throw MigrationError.nothingToResume(state.path) }
    let all = state.checkpoints.all(of: plan.fingerprint)
    guard let newest = all.first else {
      throw MigrationError.damagedCheckpoints(state.path)
    }
    guard newest.tool == ToolVersion.withLibrary else {
      throw MigrationError.anotherTool(newest.tool, stateDirectory: state.path)
    }
    let checkpoint = state.mustCopy ? try copied(newest, all) : try inPlace(newest, all)
    guard let checkpoint else {
      try state.begin(plan)
      try state.nameOwner(limits)
      return nil
    }
    state.removeLeftovers(keeping: files(of: checkpoint))
    return checkpoint
  }

  /// Takes over the files of an attempt whose process is gone.
  private func inPlace(_ newest: Checkpoint, _ all: [Checkpoint]) throws -> Checkpoint? {
    state.takeOver(newest)
    if isPublished(newest) { return newest }
    guard DurableFiles.exists(state.scratchStore) else { return nil }
    return try checkpoint(newest, all, of: state.scratchStore)
  }

  /// Goes on with copies of the files of an attempt that may not have ended, and fences it off: the next
  /// checkpoint that it wants to publish is there already.
  private func copied(_ newest: Checkpoint, _ all: [Checkpoint]) throws -> Checkpoint? {
    let scratch = state.scratchStore(of: newest.attempt)
    if isPublished(newest) {
      state.takeOver(newest)
      return newest
    }
    guard DurableFiles.exists(scratch) else { return nil }
    // Nobody writes to a finished store any more.
    if newest.isFinished, try isSound(scratch, newest) {
      state.takeOver(newest)
      try state.checkpoints.publish(newest)
      try state.nameOwner(limits)
      return newest
    }
    try copy(scratch, to: state.scratchStore)
    guard var checkpoint = try checkpoint(newest, all, of: state.scratchStore) else { return nil }
    if checkpoint.violationBytes > 0 {
      try copy(state.violations(of: newest.attempt), to: state.violations)
    }
    checkpoint.attempt = state.attempt
    try state.checkpoints.publish(checkpoint)
    try state.nameOwner(limits)
    return checkpoint
  }

  /// Whether nothing is left to do but to remove the state directory: the scratch file of a finished store
  /// has the destination's name too, or is removed already.
  private func isPublished(_ newest: Checkpoint) -> Bool {
    let (scratch, store) = (state.scratchStore(of: newest.attempt), plan.destination.store)
    guard newest.isFinished, DurableFiles.exists(store) else { return false }
    return !DurableFiles.exists(scratch) || DurableFiles.isSameFile(scratch, store)
  }

  /// Whether the values of a finished store are there, before or after they got their name.
  private func hasExternalData(_ newest: Checkpoint) -> Bool {
    DurableFiles.exists("\(state.path)/external-\(newest.attempt)")
      || DurableFiles.exists(DestinationFiles(plan.destination.store).externalSupport)
  }

  private func copy(_ path: String, to copy: String) throws(MigrationError) {
    do {
      try ScratchCopy(path).write(to: copy)
    } catch {
      // Somebody who writes is at work.
      guard error.code != EBUSY else {
        throw .locked(stateDirectory: state.path, owner: StateLock.owner(in: state.path))
      }
      throw error.asMigrationError
    }
  }

  /// The checkpoint that belongs to the last transaction of a scratch store.
  private func checkpoint(
    _ newest: Checkpoint,
    _ all: [Checkpoint],
    of store: String
  ) throws -> Checkpoint? {
    if newest.isFinished, newest.hasExternalData, !hasExternalData(newest) { return nil }
    if newest.isWhole { return try isSound(store, newest) ? newest : nil }
    guard
      newest.transaction > 0, let last = try lastTransaction(of: store),
      let found = all.first(where: { $0.transaction == last && $0.attempt == newest.attempt }),
      found.hasSoundSegments(in: state.path)
    else { return nil }
    return found
  }

  /// Whether a store that is whole is as it was left.
  private func isSound(_ store: String, _ newest: Checkpoint) throws -> Bool {
    if let moment = newest.moment { return (try? ScratchCopy.moment(of: store)) == moment }
    return try unlessStopped { () throws(StoreError) in
      try ScratchStore(store).isSound(isStopped: isStopped)
    } ?? false
  }

  /// The number of the last transaction of a store; `nil` if it is not as it was left.
  private func lastTransaction(of store: String) throws -> Int64? {
    try unlessStopped { () throws(StoreError) in
      try ScratchStore(store).lastTransaction(isStopped: isStopped)
    } ?? nil
  }

  /// What a look at a store finds; `nil` where it cannot be looked at.
  ///
  /// - Throws: ``MigrationError/cancelled``.
  private func unlessStopped<T>(_ look: () throws(StoreError) -> T) throws(MigrationError) -> T? {
    do throws(StoreError) {
      return try look()
    } catch {
      if error.cause == .interruption { throw .cancelled }
      return nil
    }
  }

  /// The names of the files that a checkpoint speaks of.
  private func files(of checkpoint: Checkpoint) -> Set<String> {
    var names = Set(checkpoint.associations.flatMap(\.segments).map(\.name))
    let store = "destination-\(checkpoint.attempt).sqlite"
    names.formUnion([store, "\(store)-journal", ScratchStore(store).pageLog])
    if checkpoint.isFinished { names.insert("external-\(checkpoint.attempt)") }
    if checkpoint.violationBytes > 0 { names.insert("violations-\(checkpoint.attempt).jsonl") }
    return names
  }
}
