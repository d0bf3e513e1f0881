public import BulkCoding
public import BulkPlan
internal import BulkStore

/// What keeps a migration from being carried out.
///
/// The source is unchanged in every case, and the destination is there only if the last step was done.
public enum MigrationError: Error, Sendable {
  /// The plan's inputs are not what they were when it was made.
  case stalePlan([String])
  /// The plan's inputs cannot be used.
  case plan(PlanError)
  /// There is something under the destination's name.
  case destinationExists(String)
  /// A file or folder cannot be made.
  case cannotCreate(path: String, reason: String)
  /// Another process works on the same destination.
  case locked(stateDirectory: String, owner: StateOwner?)
  /// Another attempt has taken this migration over; nothing that this one did counts.
  case fenced(stateDirectory: String)
  /// The disk has less room than the destination takes.
  case tooLittleDisk(path: String, free: ByteCount, needed: ByteCount)
  /// The memory limit is below what the program needs.
  case limitTooSmall(
    limit: ByteCount,
    needed: ByteCount,
    largestRow: PlannedMemory.LargestRow?
  )
  /// Something that an expression asks for is too large for the memory limit; the text says what.
  case tooLarge(String)
  /// The disk is full.
  case diskFull(path: String)
  /// Reading or writing failed.
  case inputOutput(path: String, reason: String)
  /// The destination is whole and has its name, but nobody knows whether the name is on the disk.
  case unsettled(path: String, reason: String)
  /// The source was found damaged while it was read.
  case damagedSource(path: String, reason: String)
  /// Rows came out in another number than was counted.
  case wrongRowCount(table: String, expected: Int64, written: Int64, path: String)
  /// Two rows contradict a rule of the destination's model.
  case constraint(String)
  /// A policy is missing or failed; the text says which, where and why.
  case policy(String)
  /// Objects break rules of the destination's model.
  case invalidObjects(ViolationSummary)
  /// An interrupted migration of the same destination can be gone on with.
  case unfinished(stateDirectory: String)
  /// There is nothing to go on with.
  case nothingToResume(String)
  /// What an interrupted run left cannot be used; the text says what.
  case damagedState(String)
  /// What an interrupted run left was made by another version of the program.
  case anotherTool(String, stateDirectory: String)
  /// Another process has the store open that is to be replaced.
  case storeInUse(String)
  /// There is a store already under the name that a replaced one would get.
  case keptStoreExists(String)
  /// No store was kept that could be put back.
  case nothingToRollBack(String)
  /// The run was told to stop.
  case cancelled
}

extension MigrationError: CustomStringConvertible {
  /// The fault in a sentence or a few lines.
  public var description: String {
    switch self {
    case .stalePlan(let reasons):
      (["the plan does not fit its inputs any more; make a new one:"] + reasons.map { "  " + $0 })
        .joined(separator: "\n")
    case .plan(let error): error.description
    case .destinationExists(let path):
      "\(path) is there already and is not overwritten; name another destination or move it away"
    case .cannotCreate(let path, let reason): "\(path) cannot be made: \(reason)"
    case .locked(let path, let owner): Self.text(ofLock: path, owner)
    case .fenced(let path):
      "another process has taken this migration over while this one stood still; nothing that this "
        + "one did counts, see bulkmigrate status --state-dir \(path)"
    case .tooLittleDisk(let path, let free, let needed):
      "the destination takes about \(needed), but \(path) has only \(free) left; nothing was started"
    case .limitTooSmall(let limit, let needed, let row):
      "--max-memory \(limit) is too small: this migration needs at least \(needed)"
        + (row.map {
          ", because \($0.property) of \($0.entity) \($0.key) has "
            + "\(ByteCount(bytes: $0.bytes)) and must be held"
        } ?? "")
        + "; nothing was started"
    case .tooLarge(let reason): "\(reason); no destination was made"
    case .diskFull(let path):
      "the disk is full while writing \(path); no destination was made; free some space, and \(Self.next)"
    case .inputOutput(let path, let reason):
      "\(path): \(reason); no destination was made; when the fault is gone, \(Self.next)"
    case .unsettled(let path, let reason):
      "\(path) is made, but its folder could not be written to the disk: \(reason); bulkmigrate resume "
        + "makes sure of it"
    case .damagedSource(let path, let reason):
      "\(path) is damaged: \(reason); no destination was made"
    case .wrongRowCount(let table, let expected, let written, let path):
      "\(path) is damaged: \(expected) rows were counted in table \(table), but \(written) were met "
        + "in the order of their keys; no destination was made"
    case .constraint(let reason):
      "the rows break a rule of the destination's model: \(reason); no destination was made"
    case .policy(let reason): "\(reason); no destination was made"
    case .invalidObjects(let summary):
      "\(summary.total) \(summary.total == 1 ? "value breaks a rule" : "values break rules") of the "
        + "destination's model; no destination was made:\n\(summary)"
    case .unfinished(let path):
      "an interrupted migration is in \(path); go on with bulkmigrate resume, or begin anew with "
        + "bulkmigrate run --restart"
    case .nothingToResume(let path):
      "there is no interrupted migration in \(path); bulkmigrate run begins one"
    case .damagedState(let what):
      "\(what) cannot be read; begin anew with bulkmigrate run --restart"
    case .anotherTool(let tool, let path):
      "the interrupted migration in \(path) was begun by \(tool), and this is "
        + "\(Checkpoint.currentTool); go on with that, or begin anew with bulkmigrate run --restart"
    case .storeInUse(let path):
      "\(path) is open in another program; close it and try again; nothing was replaced"
    case .keptStoreExists(let path):
      "\(path) is there already, kept from an earlier migration, and is not overwritten; delete it, or "
        + "go back to it with bulkmigrate rollback"
    case .nothingToRollBack(let path):
      "there is no \(path), so there is nothing to go back to"
    case .cancelled:
      "stopped; no destination was made; \(Self.next)"
    }
  }

  /// How to go on after what was not the fault of plan or source.
  private static let next =
    "bulkmigrate resume goes on where something was kept, and bulkmigrate run begins anew where nothing was"
}

extension MigrationError {
  private static func text(ofLock path: String, _ owner: StateOwner?) -> String {
    guard let owner else {
      return "another process works on this migration; it holds \(path)/lock"
    }
    let who = "process \(owner.process) on \(owner.host)"
    return owner.isOfThisHost
      ? "\(who) works on this migration; it holds \(path)/lock (--lock-wait waits for it)"
      : "\(who) has not released \(path)/lock, and from this machine nobody can tell whether it is "
        + "still at work; --lock-wait 1m watches it so long and then goes on with a copy"
  }

  /// Whether what was done so far can be gone on with.
  var leavesState: Bool {
    switch self {
    case .cancelled, .diskFull, .inputOutput, .unsettled, .unfinished, .stalePlan, .locked,
      .storeInUse,
      .anotherTool:
      true
    default: false
    }
  }

  /// Whether damage in what was moved unread may be behind it.
  var maySpeakOfDamage: Bool {
    switch self {
    case .damagedSource, .wrongRowCount, .constraint: true
    default: false
    }
  }

  /// What it means that a store cannot be taken hold of.
  static func unusable(_ error: any Error, _ path: String) -> MigrationError {
    guard let found = error as? StoreError else {
      return error as? MigrationError ?? .inputOutput(path: path, reason: "\(error)")
    }
    guard found.cause == .busy else { return .plan(.store(found, path: path)) }
    return .storeInUse(path)
  }

  /// What checkpoints mean of which none can be gone on with.
  static func damagedCheckpoints(_ path: String) -> MigrationError {
    .stalePlan([
      "the checkpoints in \(path) are damaged or of another plan; bulkmigrate run --restart begins anew"
    ])
  }

  /// What a change of the source during the run means.
  static func changedSource(_ path: String) -> MigrationError {
    .stalePlan(["the source store \(path) changed while it was read; no destination was made"])
  }

  /// The meaning of a store's failure while rows were moved.
  init(_ error: StoreError, source: String, scratch: String) {
    if case .checkpoint(let path, let reason, let isDiskFull) = error {
      self = isDiskFull ? .diskFull(path: path) : .inputOutput(path: path, reason: reason)
      return
    }
    switch error.cause {
    case .diskFull: self = .diskFull(path: scratch)
    case .corruption: self = .damagedSource(path: source, reason: error.description)
    case .constraint: self = .constraint(error.reason)
    case .interruption: self = .cancelled
    case .tooLarge:
      self = .tooLarge(
        "\(source): a value is too large to be held within the memory limit; "
          + "a larger --max-memory allows it: \(error)"
      )
    case .cannotOpen, .busy, .other: self = .inputOutput(path: scratch, reason: error.reason)
    }
  }
}
