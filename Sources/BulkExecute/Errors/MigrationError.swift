package import BulkPlan
package import BulkSupport
internal import BulkStore

/// Why a migration could not be carried out.
///
/// The source is never changed, and the destination exists only if the last step was done.
package enum MigrationError: Error, Sendable {
  case stalePlan([String])
  case plan(PlanError)
  case destinationExists(String)
  case cannotCreate(path: String, reason: String)
  case foreignFolder(String)
  /// Others may change the folder that should hold the state of a migration; the text says why.
  case unsafeFolder(String, reason: String)
  case foreignFile(String)
  /// Among the external values there is a named pipe, a socket or a device.
  case foreignValue(String)
  /// The destination is complete, but cannot be published; it is kept.
  case unpublished(path: String, reason: String, stateDirectory: String, isDiskFull: Bool)
  case locked(stateDirectory: String, owner: StateOwner?)
  /// Another attempt has taken over this migration; the work of this one is discarded.
  case fenced(stateDirectory: String)
  case tooLittleDisk(path: String, free: ByteCount, needed: ByteCount)
  case limitTooSmall(
    limit: ByteCount,
    needed: ByteCount,
    largestRow: PlannedMemory.LargestRow?
  )
  case notAtWork(stateDirectory: String)
  case tooLarge(path: String, reason: String)
  case diskFull(path: String)
  case inputOutput(path: String, reason: String)
  /// The destination is complete and published, but its name may not be on the disk.
  case unsynchronizedName(path: String, reason: String)
  /// The part of the migration that cannot be divided takes far longer than the time limit of the run.
  case tooLittleTime(limit: Duration, needed: Duration, step: Duration)
  /// A store was replaced by its migrated one, but the folder beside it could not be removed.
  case folderNotRemoved(folder: String, store: String, reason: String)
  case damagedSource(path: String, reason: String)
  case wrongRowCount(table: String, expected: Int64, written: Int64, path: String)
  /// Rows that were read are neither made nor counted as left out; one sentence each.
  case unaccountedRows([String], path: String)
  /// The finished store contradicts its model; a sentence for each difference.
  case contradictoryStore([String], destination: String)
  case tooMuchLost([MigrationPlan.Loss], limit: LossLimit, MadeBeforeLoss)
  /// Two rows violate a rule of the destination's model.
  case constraint(String)
  /// A policy is missing or failed; the text says which, where and why.
  case policy(String)
  case invalidObjects(ViolationSummary)
  /// Objects violate rules, so a destination cannot be compared with the expected store.
  case noExpectedStore(ViolationSummary, of: String)
  /// More objects would have to be left out than are allowed, of that many.
  case tooManyRejects(Int64, limit: RejectPolicy.Limit, of: Int64)
  /// Objects were validated by another policy, which cannot be changed any more.
  case otherPolicy(RejectPolicy, stateDirectory: String)
  case unfinished(stateDirectory: String)
  case nothingToResume(String)
  /// The state that an interrupted run left cannot be used; the text says which.
  case damagedState(String)
  /// The files of rejected objects cannot be used; the text says where and why.
  case unusableRejects(String)
  /// None of the checkpoints in a state directory can be used with this plan.
  case damagedCheckpoints(String)
  /// Another version of the program made the state that an interrupted run left.
  case anotherTool(String, stateDirectory: String)
  case storeInUse(String)
  case keptStoreExists(String)
  case nothingToRollBack(String)
  case cancelled
}

extension MigrationError: CustomStringConvertible {
  package var description: String { text(NextCommands()) }

  package func text(_ next: NextCommands) -> String {
    switch self {
    case .stalePlan(let reasons):
      (["the plan does not fit its inputs any more; make a new one:"] + reasons.map { "  " + $0 })
        .joined(separator: "\n")
    case .plan(let error): error.text(next.names)
    case .destinationExists(let path):
      "\(path) already exists and is not overwritten; choose another name or move it away"
    case .cannotCreate(let path, let reason): "\(path) cannot be made: \(reason)"
    case .foreignFolder(let path):
      "\(path) already exists and is not a state directory of a migration, so nothing in it is touched; "
        + "name another folder with \(next.names.stateDirectory), or move it away"
    case .unsafeFolder(let path, let reason):
      "\(path) \(reason), so what is in it cannot be trusted and is not touched; name a folder of your "
        + "own with \(next.names.stateDirectory), or move it away"
    case .foreignFile(let path):
      "\(path) already exists and was not made by this migration; it is not overwritten; move it away"
    case .foreignValue(let path):
      "\(path) is a named pipe, a socket or a device, and no external value; move it away; no "
        + "destination was made"
    case .unpublished(let path, let reason, let state, _):
      "the destination is complete but not published: \(path) \(reason); it is kept in \(state); when nothing is in the way "
        + "any more, \(next.resume) publishes it"
    case .locked(let path, let owner): Self.text(ofLock: path, owner, next.names)
    case .fenced(let path):
      "this attempt was suspended and another process has taken the migration over; its work was discarded, "
        + "see \(next.status) \(path)"
    case .tooLittleDisk(let path, let free, let needed):
      "the destination takes about \(needed), but \(path) has only \(free) left; nothing was started"
    case .limitTooSmall(let limit, let needed, let row):
      "\(next.names.memoryLimit) \(limit) is too small: this migration needs at least \(needed)"
        + (row.map {
          ", because \($0.property) of \($0.entity) \($0.key) has "
            + "\(ByteCount(bytes: $0.bytes)) and must be held"
        } ?? "")
        + "; nothing was started"
    case .notAtWork(let path):
      "no process works on \(path), so there is nothing to ask; \(next.resume) goes on with it, where "
        + "\(next.names.memoryLimit) sets another limit"
    case .tooLittleTime(let limit, let needed, let step):
      "\(next.names.timeLimit) \(Self.text(limit)) is too short: a part of this migration that cannot be divided "
        + "takes about \(Self.text(step)), so it needs at least \(Self.text(needed)); nothing was started"
    case .tooLarge(let path, let reason):
      "\(path): a value is too large to be held within the memory limit; a larger "
        + "\(next.names.memoryLimit) allows it: \(reason); no destination was made"
    case .diskFull(let path):
      "the disk is full while writing \(path); no destination was made; free some space, and \(next.afterFault)"
    case .inputOutput(let path, let reason):
      "\(path): \(reason); no destination was made; when the fault is gone, \(next.afterFault)"
    case .unsynchronizedName(let path, let reason):
      "\(path) is made, but its folder could not be written to the disk: \(reason); \(next.resume) "
        + "makes sure of it"
    case .folderNotRemoved(let folder, let store, let reason):
      "\(store) is migrated, but \(folder) cannot be removed: \(reason); \(next.resume) removes it"
    case .damagedSource(let path, let reason):
      "\(path) is damaged: \(reason); no destination was made"
    case .wrongRowCount(let table, let expected, let written, let path):
      "\(path) is damaged: \(expected) rows were counted in table \(table), but \(written) were met "
        + "in the order of their keys; no destination was made"
    case .unaccountedRows(let reasons, let path):
      (["rows of the source \(path) are not accounted for; no destination was made:"]
        + reasons.map { "  " + $0 }).joined(separator: "\n")
    case .contradictoryStore(let reasons, let path):
      ([
        "the store that was made for \(path) is not what its model says, so it was not published; this is a "
          + "fault of the program, please report it with:"
      ]
        + reasons.map { "  " + $0 }).joined(separator: "\n")
    case .tooMuchLost(let losses, let limit, let made):
      Self.text(ofLosses: losses, limit, made, next)
    case .constraint(let reason):
      "the rows break a rule of the destination's model: \(reason); no destination was made"
    case .policy(let reason): "\(reason); no destination was made"
    case .invalidObjects(let summary):
      "\(summary.title); no destination was made:\n\(summary)"
    case .noExpectedStore(let summary, let path):
      "\(path) cannot be compared row by row: the plan cannot be carried out on this source; where objects "
        + "were left out or corrected, name the state directory of that run with \(next.names.stateDirectory):\n\(summary)"
    case .tooManyRejects(let count, let limit, let rows):
      "\(count) of \(rows) objects would be left out, more than \(next.names.rejectLimit) \(limit) "
        + "allows; no destination was made; to continue anyway, repeat it with a larger limit (\(next.resume) where a "
        + "state directory is left)"
    case .otherPolicy(let policy, let path):
      "the interrupted migration in \(path) has validated its objects by \(policy.action.rawValue) and, for dependants, "
        + "\(policy.dependants.rawValue), so it can only go on by these: \(next.resume) without others, or start over with "
        + "\(next.restart)"
    case .unfinished(let path):
      "an interrupted migration is in \(path); continue with \(next.resume), or start over with "
        + "\(next.restart)"
    case .nothingToResume(let path):
      "there is nothing to resume in \(path): no run was interrupted, or none after its first checkpoint; \(next.run) begins one"
    case .damagedState(let what):
      "\(what) cannot be read; start over with \(next.restart)"
    case .unusableRejects(let reason): "\(reason); nothing has changed"
    case .damagedCheckpoints(let path):
      "the checkpoints in \(path) are damaged or of another plan; \(next.restart) starts over"
    case .anotherTool(let tool, let path):
      "the interrupted migration in \(path) was begun by \(tool), and this is "
        + "\(ToolVersion.withLibrary); continue with that, or start over with \(next.restart)"
    case .storeInUse(let path):
      "\(path) is open in another program; close it and try again; nothing was replaced"
    case .keptStoreExists(let path):
      "\(path) already exists, kept from an earlier migration, and is not overwritten; delete it, or "
        + "go back to it with \(next.rollback)"
    case .nothingToRollBack(let path):
      "there is no \(path), so there is nothing to go back to"
    case .cancelled:
      "stopped; no destination was made; \(next.afterFault)"
    }
  }
}

extension MigrationError {
  /// A duration as it is typed, without fractions of a millisecond.
  private static func text(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    return milliseconds == 0 ? "\(seconds)s" : "\(seconds * 1000 + milliseconds)ms"
  }

  private static func text(
    ofLock path: String,
    _ owner: StateOwner?,
    _ names: ArgumentNames
  ) -> String {
    guard let owner else {
      return "another process works on this migration; it holds \(path)/lock"
    }
    let who = "process \(owner.process) on \(owner.host)"
    return owner.identity.isOfThisHost
      ? "\(who) works on this migration; it holds \(path)/lock (\(names.lockWait) waits for it)"
      : "\(who) has not released \(path)/lock, and from this machine nobody can tell whether it is "
        + "still at work; \(names.oneMinuteLockWait) watches it for that time and then continues with a copy"
  }

  var leavesState: Bool { meaning.leavesState }

  /// Whether a changed source cannot have caused the error, so that it need not be checked for.
  var isIndependentOfSource: Bool { meaning.isIndependentOfSource }

  private var meaning: (leavesState: Bool, isIndependentOfSource: Bool) {
    switch self {
    case .tooMuchLost(_, _, let made): (made != .nothing, true)
    case .cancelled, .locked, .destinationExists, .unfinished,
      .unpublished, .contradictoryStore, .otherPolicy:
      (true, true)
    case .stalePlan, .diskFull, .inputOutput, .unsynchronizedName, .folderNotRemoved,
      .tooManyRejects, .damagedCheckpoints, .anotherTool, .storeInUse:
      (true, false)
    case .cannotCreate, .foreignFolder, .unsafeFolder, .foreignFile, .foreignValue, .fenced,
      .nothingToResume:
      (false, true)
    case .plan, .tooLittleDisk, .tooLittleTime, .limitTooSmall, .notAtWork, .tooLarge,
      .damagedSource, .wrongRowCount, .unaccountedRows,
      .constraint, .policy, .invalidObjects, .noExpectedStore, .damagedState, .unusableRejects,
      .keptStoreExists, .nothingToRollBack:
      (false, false)
    }
  }

  func whilePublishing(from state: String) -> MigrationError {
    func kept(_ path: String, _ reason: String, isDiskFull: Bool = false) -> MigrationError {
      .unpublished(path: path, reason: reason, stateDirectory: state, isDiskFull: isDiskFull)
    }
    return switch self {
    case .destinationExists(let path): kept(path, "already exists and is not overwritten")
    case .cannotCreate(let path, let reason): kept(path, "cannot be made: \(reason)")
    case .diskFull(let path): kept(path, "cannot be written: the disk is full", isDiskFull: true)
    default: self
    }
  }

  func whileTidying(_ folder: String, of store: String) -> MigrationError {
    switch self {
    case .diskFull:
      .folderNotRemoved(folder: folder, store: store, reason: "the disk is full")
    case .inputOutput(_, let reason), .cannotCreate(_, let reason):
      .folderNotRemoved(folder: folder, store: store, reason: reason)
    default: self
    }
  }

  static func unusable(_ error: any Error, _ path: String) -> MigrationError {
    guard let found = error as? StoreError else {
      return error as? MigrationError ?? .inputOutput(path: path, reason: "\(error)")
    }
    switch found.cause {
    case .busy: return .storeInUse(path)
    case .diskFull: return .diskFull(path: path)
    // It was read before, so its contents do not keep it from being opened.
    case .cannotOpen where DurableFiles.exists(path), .malfunction, .other:
      return .inputOutput(path: path, reason: found.reason)
    case .interruption: return .cancelled
    case .cannotOpen, .corruption, .constraint, .tooLarge:
      return .plan(.store(found, path: path))
    }
  }

  static func changedSource(_ path: String) -> MigrationError {
    .stalePlan(["the source store \(path) changed while it was read; no destination was made"])
  }

  init(_ error: StoreError, source: String, scratch: String) {
    if let failed = error.failedCheckpoint {
      self =
        failed.isDiskFull
        ? .diskFull(path: failed.path) : .inputOutput(path: failed.path, reason: failed.reason)
      return
    }
    switch error.cause {
    case .diskFull: self = .diskFull(path: scratch)
    case .corruption:
      let damage = PersistentStore.damage(of: source, explaining: error)
      self = .damagedSource(path: source, reason: damage ?? "\(error)")
    case .malfunction: self = .contradictoryStore([error.reason], destination: scratch)
    case .constraint: self = .constraint(error.reason)
    case .interruption: self = .cancelled
    case .tooLarge:
      self = .tooLarge(path: source, reason: "\(error)")
    case .cannotOpen, .busy, .other: self = .inputOutput(path: scratch, reason: error.reason)
    }
  }
}
