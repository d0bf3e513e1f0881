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

  /// The checkpoint to resume from, of those that are found, the newest first; `nil` to begin.
  ///
  /// Throws where a command must leave what it finds as it is.
  func resumed(
    _ found: [Checkpoint],
    _ start: Start,
    in state: StateDirectory
  ) throws(MigrationError) -> Checkpoint? {
    let store = plan.destination.store
    switch (start, isKept: !state.checkpoints.isEmpty) {
    case (.resume, false): throw .nothingToResume(state.path)
    case (.begin, true): throw .unfinished(stateDirectory: state.path)
    case (_, false),
      (.restart, true) where !state.hasPublished(store):
      try DestinationFiles(store).refuseExisting()
      return nil
    // A published store cannot be rebuilt.
    case (.restart, true), (.resumeOrBegin, true), (.resume, true):
      guard let newest = found.first else { throw .damagedCheckpoints(state.path) }
      guard !StateDirectory.isPublished(newest, as: store, from: state.path) else { return newest }
      guard newest.tool == ToolVersion.withLibrary else {
        throw .anotherTool(newest.tool, stateDirectory: state.path)
      }
      try newest.refuse(settings.rejects, in: state.path)
      return newest
    }
  }

  /// Refuses to begin where external values are gone, or where the disk is too small for the destination.
  func refuseLackingFiles(in location: StateLocation) throws {
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

  func state() throws -> StateDirectory {
    try StateDirectory(
      stateLocation,
      wait: LockWait(settings.lockWait),
      isShort: !isDurable && !plan.hasSeveralLegs && ofStep == nil,
      endWaitIfRequested
    )
  }

  /// The directory keeps the plan of a migration that can be resumed.
  func begin(in state: StateDirectory) throws {
    try state.begin(isDurable ? plan : nil)
    try state.recordOwner(limits)
  }

  /// Leaves the directory after an error, or removes it where the error leaves nothing; returns what to throw.
  ///
  /// A command that was refused before the work had begun takes nothing away.
  func leave(
    _ state: StateDirectory,
    isResumed: Bool,
    hasBegun: Bool,
    after error: any Error
  ) -> any Error {
    let error = (error as? FileError)?.asMigrationError ?? error
    guard hasBegun else {
      state.refuse()
      return error
    }
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
