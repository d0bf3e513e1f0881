public import BulkCoding
public import BulkPlan
internal import BulkStore
internal import BulkPlatform

/// The status of a migration, read from its state directory.
public struct MigrationStatus: Hashable, Sendable {
  /// The states of a migration.
  public enum State: String, Codable, Hashable, Sendable {
    /// There is nothing: no migration was begun, or its folder was removed at its end.
    case none
    /// A process works on it.
    case running
    /// It was interrupted, and can be resumed.
    case interrupted
    /// It was interrupted before its first checkpoint; the next run begins again.
    case abandoned
    /// It is done, and its receipt was kept.
    case done
  }

  /// The state of the migration.
  public var state: State
  /// The path of the state directory.
  package var stateDirectory: String
  /// The bytes that its files take.
  public var size = ByteCount.zero
  /// The process that holds it, or held it last.
  package var owner: StateOwner?
  /// The memory limit of its last run; of the last checkpoint where the lock does not tell.
  public var memoryLimit: ByteCount?
  /// The number of the last checkpoint.
  package var checkpoint: Int64?
  /// The rows written, as of the last checkpoint.
  public var rowsDone: Int64?
  /// The rows that a running process has written, those after the last checkpoint included; `nil` where it does not report that.
  public var rowsWritten: Int64?
  /// The share of all work that a running process has done, from 0 to 1; `nil` where it does not report that.
  public var share: Double?
  /// Its stage, a ``MigrationProgress/Stage``; `nil` where it does not report that.
  package var stage: String?
  /// Whether the store is complete and only has to be published.
  public var isFinished = false
  /// Whether the store has its name and lacks no objects, so that only the state directory has to be tidied.
  package var isPublished = false
  /// The measures of the passes so far, of the running leg of a route; empty if there is only one.
  package var passes: [PassUse] = []
  /// The number of these passes, those that were not begun included.
  package var passCount = 0
  /// The requests that a running process follows; `nil` if there are none.
  package var control: RunControl?
  /// The plan that is carried out.
  package var plan: MigrationPlan?
  /// The measurements so far, as of the last checkpoint; `nil` if there are none.
  package var measures: MeasureRecord?
  /// The counted losses, once the destination is complete; `nil` before.
  public var losses: [MigrationPlan.Loss]?
  /// The counted fates of source rows, by entity mapping or destination table, once the store is
  /// complete.
  package var tallies: [String: RowTally] = [:]
  /// The counts of the finished legs of a route, in their order.
  package var legs: [LegRecord] = []
  /// The objects that were left out of a destination that is done; `nil` if there are none.
  public var rejected: Int64?
  /// The folder with the reject files.
  package var rejectFolder: String?
  /// The file of the violations for which the last run made no destination; `nil` if there is none.
  package var violations: String?
  /// Whether there are checkpoints but none can be used.
  public var isDamaged = false
  /// Whether there is a state directory.
  package var isKept = false

  /// Reads the status of a migration, without locking or changing anything.
  ///
  /// - Parameters:
  ///   - location: The location of its state directory.
  ///   - plan: Its plan, if known. If no state is kept, a destination with the source's identifier shows
  ///     that the migration is done.
  package init(_ location: StateLocation, of plan: MigrationPlan? = nil) {
    self.init(location)
    guard state == .none, let plan else { return }
    self.plan = self.plan ?? plan
    if Self.isMade(plan) { state = .done }
  }

  private static func isMade(_ plan: MigrationPlan) -> Bool {
    guard
      let source = try? PersistentStore(path: plan.source.store),
      let destination = try? PersistentStore(path: plan.destination.store)
    else { return false }
    return source.metadata.uuid == destination.metadata.uuid
  }

  private init(_ location: StateLocation) {
    stateDirectory = location.path
    state = .none
    guard
      let folder = try? DurableDirectory(location.path), let marker = StateMarker(of: folder)
    else { return }
    isKept = true
    plan = try? MigrationPlan(contentsOf: location.planPath)
    if let finished = Receipt.finished(in: location) {
      state = .done
      take(finished)
    }
    size = Self.size(of: location.path)
    owner = StateLock.owner(in: location.path)
    memoryLimit = owner?.memory
    if let rejects = try? RejectFolder(location) {
      (rejected, rejectFolder) = (rejects.summary.count, rejects.path)
    }
    let isHeld = StateLock.isHeld(in: folder)
    isDamaged = location.hasCheckpoints
    if let newest = plan.flatMap({ CheckpointFiles(in: folder).all(of: $0.fingerprint).first }) {
      state = isHeld ? .running : .interrupted
      isDamaged = false
      take(newest)
      isPublished =
        newest.rejected?.count ?? 0 == 0
        && plan.map {
          StateDirectory.isPublished(newest, as: $0.destination.store, from: location.path)
        } ?? false
      if plan?.hasSeveralLegs == true {
        let step = StateDirectory.name(ofStep: Int(newest.transaction), marker.identity)
        takeStep("\(location.path)/\(step)", after: newest)
      }
    } else if isHeld {
      state = .running
    } else if state == .none, owner != nil {
      state = .abandoned
    }
    if state == .none { violations = StateDirectory.report(in: location) }
    if state == .running { control = ControlFile(location)?.control }
    if state == .running, let live = LiveProgress(in: folder, marker.identity, of: owner) {
      (rowsWritten, stage) = (max(live.rows, rowsDone ?? 0), live.stage)
      share = live.share
    }
  }

  /// The rows to write, in all steps; the rows written, once the store is finished.
  public var rowsTotal: Int64? { isFinished ? rowsDone : plan?.rowsOfAllLegs }

  /// Whether `rowsTotal` is only an upper bound.
  public var isUpperBound: Bool { !isFinished && plan?.isUpperBound == true }

  /// Adds the progress of the step that works in a folder.
  private mutating func takeStep(_ folder: String, after newest: Checkpoint) {
    let step = MigrationStatus(StateLocation(stateDirectory: folder))
    rowsDone = newest.rows + (step.rowsDone ?? 0)
    (passes, passCount) = (step.passes, step.passCount)
    if let later = step.measures, later.seconds > measures?.seconds ?? 0 { measures = later }
  }

  /// The size of the destination; `nil` while there is none.
  package var destinationSize: ByteCount? {
    guard state == .done, let plan else { return nil }
    return (try? DurableFiles.size(of: plan.destination.store)).map { ByteCount(bytes: $0) }
  }

  private mutating func take(_ found: Checkpoint) {
    checkpoint = found.number
    rowsDone = found.rows
    memoryLimit = memoryLimit ?? found.limits?.memory
    isFinished = found.isFinished
    measures = found.measures
    losses = found.isFinished ? found.losses : nil
    tallies = found.isFinished ? found.tallies : [:]
    legs = found.legs ?? []
    passCount = plan?.passes.count ?? 0
    passes = passCount > 1 ? found.passes : []
  }

  private static func size(of folder: String) -> ByteCount {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let sizes = names.lazy.compactMap { try? DurableFiles.size(of: "\(folder)/\($0)") }
    return ByteCount(bytes: sizes.reduce(0, +))
  }
}
