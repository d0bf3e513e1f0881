internal import BulkSupport
internal import BulkPlan
internal import BulkSQLite
internal import BulkStore

extension Migration {
  /// How long an attempt may run beyond its time limit to get further than all before it.
  static let overtime = Duration.seconds(10)

  /// Refuses a time limit that the longest indivisible part exceeds by more than ``overtime``.
  func refuseShortTime() throws(MigrationError) {
    guard let timeLimit = settings.timeLimit else { return }
    // A migration that cannot be resumed is a single part.
    let step = isDurable ? plan.longestStepSeconds : plan.estimatedSeconds
    let needed = Duration.seconds(step.rounded(.up)) - Self.overtime
    guard timeLimit < needed else { return }
    throw .tooLittleTime(limit: timeLimit, needed: needed, step: .seconds(step.rounded(.up)))
  }

  /// Refuses all that can be refused before a folder is made.
  func refuse(_ start: Start) throws {
    let location = stateLocation
    if !location.hasCheckpoints { StateDirectory.tidy(location, of: plan) }
    guard start != .resume else {
      guard location.hasCheckpoints else { throw MigrationError.nothingToResume(location.path) }
      return
    }
    guard !location.hasCheckpoints else { return }
    // If another process may be at work, this is checked again once the folder is locked.
    if !DurableFiles.exists(location.path) {
      try DestinationFiles(plan.destination.store).refuseExisting()
    }
    let folder = ExternalBinaryData.supportFolder(of: plan.source.store)
    let files = try MigrationError.walking {
      try FolderWalk.files(in: folder, bounds: plan.source.boundsOfLinks)
    }
    let planned = plan.source.externalFiles?.count ?? 0
    guard files.count >= planned else {
      throw MigrationError.stalePlan([
        "\(planned - files.count) of \(planned) files with external values are gone from \(folder)"
      ])
    }
    let parent = location.parent
    let isCopied = files.first.map { !FileCopying.canShareBlocks(of: $0, in: parent) } ?? false
    try DiskSpace(parent).refuse(
      lessThan: plan.estimatedSize,
      plus: ByteCount(bytes: isCopied && !isLaterLeg ? files.bytes : 0)
    )
  }

  /// The outcome if another process has finished the migration while this one waited for its lock.
  ///
  /// Throws ``MigrationError/destinationExists(_:)`` if it has made the destination and kept nothing.
  private func outcomeOfOtherProcess(
    _ state: StateDirectory,
    _ start: Start
  ) throws -> MigrationRecord? {
    if let done = Receipt.outcome(of: plan, in: stateLocation) { return done }
    if state.checkpoints.isEmpty {
      if start == .resume { throw MigrationError.nothingToResume(state.path) }
      try DestinationFiles(plan.destination.store).refuseExisting()
    } else if start == .restart, !state.hasPublished(plan.destination.store) {
      // Otherwise the kept state would be discarded in vain.
      try DestinationFiles(plan.destination.store).refuseExisting()
    }
    return nil
  }

  func state() throws -> StateDirectory {
    try StateDirectory(
      stateLocation,
      wait: LockWait(settings.lockWait),
      limits: limits,
      isShort: !isDurable && !plan.hasSeveralLegs && !isStep,
      endWaitIfRequested
    )
  }

  /// Throws ``MigrationError/unfinished(stateDirectory:)`` if the state must be left as it is.
  func shouldResume(in state: StateDirectory, _ start: Start) throws(MigrationError) -> Bool {
    guard !state.checkpoints.isEmpty else { return false }
    switch start {
    case .begin: throw .unfinished(stateDirectory: state.path)
    // A published store cannot be rebuilt.
    case .restart: return state.hasPublished(plan.destination.store)
    case .resumeOrBegin, .resume: return true
    }
  }

  /// Makes one attempt in the state directory; the outcome may be that of another process that has finished the
  /// migration.
  ///
  /// The body does the work within the valid limits, and removes the directory at its end; its error decides
  /// whether the directory stays, and is translated if it is a ``FileError``.
  func makeAttempt(
    _ start: Start,
    _ body: (StateDirectory, Migration) throws -> MigrationRecord
  ) throws -> MigrationRecord {
    try refuse(start)
    let isResumed = start != .restart && stateLocation.hasCheckpoints
    let state = try state()
    do {
      if let done = try outcomeOfOtherProcess(state, start) {
        state.tidy()
        return done
      }
      // Requests to an earlier attempt; this one keeps its own when it begins again.
      if monitor?.isControlled != true { state.discardControl() }
      let former = start == .restart ? nil : state.checkpoints.all(of: plan.fingerprint).first
      let migration = resuming(former?.limits)
      state.checkpoints.limits = migration.limits
      return try body(state, migration)
    } catch {
      throw leave(state, isResumed: isResumed, after: error)
    }
  }

  /// The directory keeps the plan of a migration that can be resumed.
  func begin(in state: StateDirectory) throws {
    try state.begin(isDurable ? plan : nil)
    try state.recordOwner(limits)
  }

  private func leave(
    _ state: StateDirectory,
    isResumed: Bool,
    after error: any Error
  ) -> any Error {
    let error = (error as? FileError)?.asMigrationError ?? error
    guard !state.isOvertaken else {
      state.abandon()
      return MigrationError.fenced(stateDirectory: state.path)
    }
    var isKept = state.mustStay || (error as? MigrationError)?.leavesState ?? false
    // What this attempt has not changed it does not take away, unless it is of no use.
    let isOfNoUse = if case .damagedState? = error as? MigrationError { true } else { false }
    if state.checkpoints.areOfOthers, !isOfNoUse { isKept = true }
    // State that is quick to make, or that was made from the changed source, is discarded.
    if case MigrationError.stalePlan? = error as? MigrationError, !isDurable || !isResumed {
      isKept = false
    }
    isKept = isKept && !state.checkpoints.isEmpty
    if isKept {
      state.leave()
    } else {
      do {
        try state.discard()
      } catch {
        state.leave()
        return error
      }
    }
    return error
  }
}
