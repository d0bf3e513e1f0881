internal import BulkPlan
internal import BulkSupport

/// The folder in which a migration works, `<destination>.bulkmigrate` or another.
///
/// One process holds it at a time. An attempt writes only to files that it makes itself, under names that
/// no other attempt uses, or to those of an attempt whose process has certainly ended. Foreign files there
/// are left alone, see ``StateFolder``.
final class StateDirectory {
  let path: String
  let checkpoints: CheckpointFiles
  /// The name of this attempt, which no other has; the folder's identity is part of it.
  private(set) var attempt: String
  var keepsReport = false

  private static let reportName = "violations.jsonl"

  /// `nil` if no violations keep a migration from its destination.
  static func report(in location: StateLocation) -> String? {
    let path = "\(location.path)/\(reportName)"
    return DurableFiles.exists(path) ? path : nil
  }

  let folder: StateFolder
  private var isOwnerRecorded = false
  let location: StateLocation
  private let isShort: Bool

  /// Makes or enters a folder and locks it.
  ///
  /// With `isShort` an attempt that begins keeps nothing before its end; its last checkpoint becomes the
  /// receipt. `stopIfRequested` is called during the wait; an error of it ends the wait.
  /// Throws ``MigrationError/locked(stateDirectory:owner:)`` if another process keeps the folder,
  /// ``MigrationError/foreignFolder(_:)`` if it is not ours.
  init(
    _ location: StateLocation,
    wait: LockWait,
    isShort: Bool,
    _ stopIfRequested: () throws -> Void
  ) throws {
    self.location = location
    self.isShort = isShort
    path = location.path
    do {
      folder = try wait.enter(location, isShort: isShort, stopIfRequested)
      attempt = Self.newAttempt(in: folder)
      checkpoints = CheckpointFiles(in: folder.directory)
      let folder = folder
      checkpoints.numberTaken = { folder.keepMark() }
    } catch let error as FileError {
      throw error.asMigrationError
    }
  }

  private static func newAttempt(in folder: StateFolder) -> String {
    "\(folder.identity)-\(SystemHost.current.identifier())"
  }

  var identity: String { folder.identity }

  /// Whether the former process may still be running, so that its files may only be copied.
  var mustCopy: Bool {
    // What the lock says is of the numbers that were seen before.
    guard folder.lock.lastNumber == checkpoints.lastFound else { return true }
    return switch folder.lock.former {
    case .none, .released: false
    case .ended(let owner): !owner.identity.isProvablyGone
    case .unknown: true
    }
  }

  /// Whether the files of a checkpoint may only be copied: the former process may still be running, or the one that
  /// wrote the checkpoint, since one that has taken over publishes it before it renews the lock, and where a lock is not
  /// seen, whenever it likes.
  func mustCopy(_ checkpoint: Checkpoint) -> Bool {
    guard !mustCopy, let writer = checkpoint.writer else { return mustCopy }
    return writer != folder.lock.former.process && !writer.isProvablyGone
  }

  /// Whether another attempt has taken over the folder, so that the work of this one is discarded.
  var isOvertaken: Bool { folder.isOvertaken || checkpoints.areSurpassed }
  var isContinued: Bool { folder.lock.wasFound || checkpoints.lastFound >= 0 }
  /// Whether an attempt that fails must leave it: the store only has to be published, or is, and what it left out is only
  /// here.
  var mustStay: Bool { checkpoints.isFinished || isPublished }
  /// Whether the last store of a route has its name.
  var isPublished = false

  /// Takes over the files of an attempt whose process is gone.
  func takeOver(_ checkpoint: Checkpoint) {
    attempt = checkpoint.attempt
    checkpoints.resume(from: checkpoint)
  }

  func hasPublished(_ store: String) -> Bool {
    folder.directory.names.contains {
      $0.contains(folder.identity) && DurableFiles.isSameFile("\(path)/\($0)", store)
    }
  }

  /// Unless it exists; for its owner alone.
  func makeScratchStore() throws(FileError) {
    try folder.directory.makeFile("destination-\(attempt).sqlite")
  }

  func remakeScratchStore() throws(FileError) {
    folder.directory.remove("destination-\(attempt).sqlite")
    try makeScratchStore()
  }

  /// Takes the folder; where the files of the newest checkpoint may only be copied, those who look for its owner still
  /// find the former one.
  func hold(_ limits: RunLimits, after newest: Checkpoint?) throws {
    location.makePointer()
    checkpoints.limits = limits
    if !(newest.map { mustCopy($0) } ?? mustCopy) { try recordOwner(limits) }
  }

  /// Once is enough, when the files of the former owner are left behind.
  func recordOwner(_ limits: RunLimits) throws {
    try MigrationError.writing(try record(limits))
  }

  private func record(_ limits: RunLimits) throws(FileError) {
    checkpoints.limits = limits
    guard !isOwnerRecorded else { return }
    // Also without a checkpoint an attempt may be at work that does not see the same lock.
    if mustCopy || folder.lock.wasFound {
      try folder.lock.renew(folder.directory, by: "lock-\(attempt)", for: StateOwner(limits))
    } else {
      // Nothing of a short migration needs its owner before the end.
      try folder.lock.record(StateOwner(limits), isSynced: !isShort)
    }
    isOwnerRecorded = true
  }

  /// Restarts; the files of earlier attempts are discarded.
  ///
  /// A plan is given if the attempt that begins can be resumed.
  func begin(_ plan: MigrationPlan?) throws {
    // What was found may be no longer there, since another attempt has gone on with it.
    if isOvertaken { throw MigrationError.fenced(stateDirectory: path) }
    attempt = Self.newAttempt(in: folder)
    Self.removeRejects(from: folder.directory)
    try refuseForeignRejects()
    try refuseForeignReport()
    if let plan {
      try folder.keep(plan)
      let first = Checkpoint(plan: plan.fingerprint, attempt: attempt, transaction: 0)
      try checkpoints.publish(first)
      try giveUpReceipt(of: plan)
    } else if !checkpoints.isEmpty {
      try folder.syncMark()
      checkpoints.remove()
      // One that came back with a power cut would be resumed.
      try folder.directory.synchronize()
    }
    removeLeftovers(keeping: [])
  }

  /// In one file where no plan is kept yet; returns the number of the checkpoint.
  func publish(_ finished: Checkpoint, with plan: MigrationPlan) throws -> Int64 {
    try checkpoints.publish(finished) { [folder] in try folder.keep(plan, with: $0, as: $1) }
  }

  /// Removes the receipt of an earlier run, once a number is taken.
  ///
  /// Throws ``MigrationError/fenced(stateDirectory:)`` if another attempt has finished since it was looked for.
  func giveUpReceipt(of plan: MigrationPlan) throws {
    guard folder.directory.contains(Receipt.name) else { return }
    if DurableFiles.exists(plan.destination.store) { throw checkpoints.withdrawn() }
    folder.directory.remove(Receipt.name)
  }

  private func refuseForeignReport() throws(MigrationError) {
    guard !folder.directory.contains(Self.reportName) || Self.ownsReport(in: folder.directory)
    else { throw .foreignFile(report) }
  }

  /// Whether a folder has a report of ours, which begins as its first line does.
  private static func ownsReport(in folder: DurableDirectory) -> Bool {
    folder.holds(reportName, beginningWith: Data(ViolationLine.beginning.utf8))
  }

  func discardControl() { folder.directory.remove(ControlFile.name(identity)) }

  var scratchStore: String { scratchStore(of: attempt) }

  func scratchStore(of attempt: String) -> String { Self.scratchStore(of: attempt, in: path) }

  private static func scratchStore(of attempt: String, in path: String) -> String {
    "\(path)/destination-\(attempt).sqlite"
  }

  /// Whether only a state directory remains to be removed: the scratch file of a finished store has the
  /// destination's name too, or is removed already.
  static func isPublished(_ newest: Checkpoint, as store: String, from path: String) -> Bool {
    let scratch = scratchStore(of: newest.attempt, in: path)
    guard newest.isFinished, DurableFiles.exists(store) else { return false }
    return !DurableFiles.exists(scratch) || DurableFiles.isSameFile(scratch, store)
  }

  var scratchExternalData: String { "\(path)/external-\(attempt)" }
  var violations: String { violations(of: attempt) }

  func violations(of attempt: String) -> String { "\(path)/violations-\(attempt).jsonl" }

  var report: String { "\(path)/\(Self.reportName)" }

  /// By the step's index from 0.
  func store(ofStep index: Int) -> String {
    "\(path)/\(Self.name(ofStep: index, folder.identity)).sqlite"
  }

  /// By the step's index from 0.
  func state(ofStep index: Int) -> StateLocation {
    StateLocation(
      stateDirectory: "\(path)/\(Self.name(ofStep: index, folder.identity))",
      isNamed: false
    )
  }

  static func name(ofStep index: Int, _ identity: String) -> String {
    "step-\(index + 1)-\(identity)"
  }

  /// Removes the folder with everything in it but a report of violations; foreign files stay.
  ///
  /// If another attempt has taken over the folder, it is left as it is. A receipt of the last checkpoint stays
  /// if it is wanted, with the plan and the folder. With `isRepeated` the caller asks again whether the store
  /// is made before it needs the receipt.
  func remove(
    keeping finished: Checkpoint?,
    isRepeated: Bool = false
  ) throws(MigrationError) {
    guard !isOvertaken else { return abandon() }
    let isRenamed = finished != nil && isShort && checkpoints.becomesReceipt()
    if let finished, !isRenamed { try writeReceipt(finished) }
    try publishOrRemoveReport()
    // A power cut that takes the name of the receipt leaves the checkpoint of a store that is published and lacks nothing.
    let isShown = isRenamed && folder.isNew && location.isUsual && finished?.rejected == nil
    tidy(isKnown: isShown && isRepeated)
  }

  /// Removes what a failed attempt has made, and the folder with it if nothing else is there, but for a report
  /// of violations.
  func discard() throws(MigrationError) {
    guard !isOvertaken else { return abandon() }
    try publishOrRemoveReport()
    // What else is there may be that of an attempt that has just taken over.
    folder.removeFiles(of: attempt)
    removeRest()
  }

  /// Gives the report of violations its name if it stays, and removes one of ours otherwise.
  private func publishOrRemoveReport() throws(MigrationError) {
    guard keepsReport else { return Self.removeReport(from: folder.directory) }
    try refuseForeignReport()
    try MigrationError.writing(try folder.syncMark())
    try MigrationError.writing(
      try folder.directory.replace(Self.reportName, with: "violations-\(attempt).jsonl")
    )
  }

  private static func removeReport(from folder: DurableDirectory) {
    if ownsReport(in: folder) { folder.remove(reportName) }
  }

  /// Removes the remaining files when the migration is done; a receipt and a report stay.
  ///
  /// `isKnown` says that a power cut leaves enough to find that the store is made.
  func tidy(isKnown: Bool = false) {
    // Without the receipt's name on the disk a power cut would leave a store that nobody has made.
    if !isKnown, folder.directory.contains(Receipt.name) { try? folder.directory.synchronize() }
    folder.removeAttemptFiles()
    removeRest()
  }

  private func removeRest() {
    checkpoints.remove()
    if !folder.directory.contains(Receipt.name) { folder.removePlan() }
    // Reject files must stay beside their destination.
    location.removePointer { !Self.rejectFolders.contains(where: folder.directory.contains) }
    folder.remove()
  }

  private func writeReceipt(_ finished: Checkpoint) throws(MigrationError) {
    do {
      try checkpoints.writeReceipt(finished)
    } catch {
      throw .failure(error, at: path)
    }
  }

  func leave() { folder.lock.release() }

  /// Leaves what is kept, and removes what an interrupted removal of the folder may have left; a receipt and a report
  /// stay.
  func refuse() {
    guard !isOvertaken else { return abandon() }
    if checkpoints.isEmpty { tidy() } else { leave() }
  }

  func abandon() { folder.lock.abandon() }

  /// Removes a folder with all of our files in it, including a receipt and a report.
  static func clear(_ location: StateLocation) throws {
    guard DurableFiles.exists(location.path) else { return }
    let folder = try LockWait(.zero).enter(location) {}
    folder.directory.remove(Receipt.name)
    removeReport(from: folder.directory)
    removeRejects(from: folder.directory)
    StateDirectory(location, in: folder).tidy()
  }

  private init(_ location: StateLocation, in folder: StateFolder) {
    self.location = location
    self.folder = folder
    isShort = false
    path = location.path
    attempt = Self.newAttempt(in: folder)
    checkpoints = CheckpointFiles(in: folder.directory)
  }

  /// Requests to this attempt stay, too.
  func removeLeftovers(keeping kept: Set<String>) {
    folder.removeAttemptFiles(keeping: kept.union([ControlFile.name(identity)]))
  }
}
