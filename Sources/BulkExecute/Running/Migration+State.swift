internal import BulkPlan
internal import BulkStore

extension Migration {
  /// How long an attempt may go on after its time is over, to come further than all before it.
  static let overtime = Duration.seconds(10)

  /// Refuses a time that is shorter by more than ``overtime`` than what cannot be divided takes.
  func refuseShortTime() throws(MigrationError) {
    guard let timeLimit else { return }
    // What cannot be gone on with is one part.
    let step = isDurable ? plan.longestStepSeconds : plan.estimatedSeconds
    let needed = Duration.seconds(step.rounded(.up)) - Self.overtime
    guard timeLimit < needed else { return }
    throw .tooLittleTime(limit: timeLimit, needed: needed, step: .seconds(step.rounded(.up)))
  }

  /// Refuses what can be refused before a folder is made.
  func refuse(_ start: Start) throws {
    let location = stateLocation
    if !location.hasCheckpoints { StateDirectory.tidy(location) }
    guard start != .onlyWhereItStands else {
      guard location.hasCheckpoints else { throw MigrationError.nothingToResume(location.path) }
      return
    }
    guard !location.hasCheckpoints else { return }
    // Where somebody may be at work, it is looked at once more when nobody is.
    if !DurableFiles.exists(location.path) {
      try DestinationFiles(plan.destination.store).refuseExisting()
    }
    do {
      try FolderCopy.refuse(ExternalBinaryData.supportFolder(of: plan.source.store))
    } catch let error as FileError {
      throw MigrationError.inputOutput(path: error.path, reason: error.reason)
    }
    guard onDiskFull == .stop else { return }
    try DiskSpace(location.parent).refuse(lessThan: plan.estimatedSize)
  }

  /// What another process did while its lock was waited for.
  ///
  /// - Returns: The outcome, where that process has done it all.
  /// - Throws: ``MigrationError/destinationExists(_:)`` if it has made the destination and kept nothing.
  func outcomeMeanwhile(_ state: StateDirectory, _ start: Start) throws -> MigrationOutcome? {
    if let done = Receipt(of: plan, in: stateLocation).outcome { return done }
    if !state.checkpoints.exist {
      if start == .onlyWhereItStands { throw MigrationError.nothingToResume(state.path) }
      try DestinationFiles(plan.destination.store).refuseExisting()
    } else if start == .overAgain, !state.hasPublished(plan.destination.store) {
      // What is kept would be given up for nothing.
      try DestinationFiles(plan.destination.store).refuseExisting()
    }
    return nil
  }

  /// Makes or enters the state directory.
  func state() throws -> StateDirectory {
    try StateDirectory(
      stateLocation,
      wait: LockWait(lockWait),
      limits: limits,
      endWaitIfAsked
    )
  }

  /// Whether what is in a state directory is gone on with.
  ///
  /// - Throws: ``MigrationError/unfinished(stateDirectory:)`` if it must be left as it is.
  func goesOn(in state: StateDirectory, _ start: Start) throws(MigrationError) -> Bool {
    guard state.checkpoints.exist else { return false }
    switch start {
    case .anew: throw .unfinished(stateDirectory: state.path)
    case .overAgain: return false
    case .whereItStands, .onlyWhereItStands: return true
    }
  }

  /// What becomes of the state directory, and what an error means, when an attempt fails.
  func leave(_ state: StateDirectory, after error: any Error) -> any Error {
    let error = (error as? FileError)?.asMigrationError ?? error
    guard !state.isOvertaken else {
      state.abandon()
      return MigrationError.fenced(stateDirectory: state.path)
    }
    var isKept = state.isWhole || (error as? MigrationError)?.leavesState ?? false
    // What is made in no time is of no use once its source is another.
    if case MigrationError.stalePlan? = error as? MigrationError, !isDurable { isKept = false }
    isKept = isKept && state.checkpoints.exist
    if isKept {
      state.leave()
    } else {
      try? state.remove(keeping: nil)
    }
    return error
  }
}
