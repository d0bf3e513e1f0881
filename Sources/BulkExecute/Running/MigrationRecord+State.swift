internal import BulkSupport
package import BulkPlan
internal import BulkStore

extension MigrationRecord {
  /// Reads the record of a migration, without locking or changing anything.
  ///
  /// If no state is kept, a destination with the source's identifier, or the one made from it, shows that the migration is done.
  package init(_ location: StateLocation, of plan: MigrationPlan? = nil) {
    self.init(location)
    guard state == .none, let plan else { return }
    if self.plan == nil { take(plan) }
    if Self.isMade(plan) { state = .done }
    completeTotal()
  }

  private static func isMade(_ plan: MigrationPlan) -> Bool {
    guard
      let source = try? PersistentStore(path: plan.source.store),
      let destination = try? PersistentStore(path: plan.destination.store)
    else { return false }
    let new = source.metadata.newIdentifier(ofStoreWith: destination.metadata.versionHashes)
    return [source.metadata.uuid, new].contains(destination.metadata.uuid)
  }

  private init(_ location: StateLocation) {
    self.init(.status)
    stateDirectory = location.path
    defer { completeTotal() }
    guard
      let folder = try? DurableDirectory(location.path), let marker = StateMarker(of: folder)
    else { return }
    isKept = true
    if let plan = try? MigrationPlan(contentsOf: location.planPath) { take(plan) }
    if let finished = Receipt.finished(in: location) {
      state = .done
      take(finished)
    }
    stateBytes = Self.size(of: location.path)
    owner = StateLock.owner(in: location.path)
    memoryLimit = owner?.memory
    if let rejects = try? RejectFolder(location) {
      (rejected, rejectFolderPath) = (rejects.summary.count, rejects.path)
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
    if state == .done { verification = KeptVerification(of: marker, in: location)?.found }
    if state == .none { violations = StateDirectory.report(in: location) }
    if state == .running { control = ControlFile(location)?.control }
    if state == .running, let live = LiveProgress(in: folder, marker.identity, of: owner) {
      (rowsWritten, stage) = (max(live.rows, rows), MigrationProgress.Stage(rawValue: live.stage))
      share = live.share
    }
  }

  private mutating func completeTotal() {
    rowsTotal = isFinished ? rows : rowsTotal ?? plan?.rowsOfAllLegs
    isUpperBound = !isFinished && (isUpperBound || plan?.isUpperBound == true)
    if state == .done, let plan { bytes = try? DurableFiles.size(of: plan.destination.store) }
  }

  private mutating func takeStep(_ folder: String, after newest: Checkpoint) {
    let step = MigrationRecord(StateLocation(stateDirectory: folder))
    rows = newest.rows + step.rows
    // Later legs are taken to write as many rows as this one.
    if let plan, let total = step.rowsTotal {
      rowsTotal = newest.rows + total * (Int64(plan.legs.count) - newest.transaction)
      isUpperBound = step.isUpperBound
    }
    (passes, passCount) = (step.passes, step.passCount)
    if let later = step.measures, later.seconds > measures?.seconds ?? 0 { take(later) }
  }

  private mutating func take(_ found: Checkpoint) {
    checkpoint = found.number
    rows = found.rows
    memoryLimit = memoryLimit ?? found.limits?.memory
    isFinished = found.isFinished
    take(found.measures)
    losses = found.isFinished ? found.losses : []
    tallies = found.isFinished ? found.tallies : [:]
    legs = found.legs ?? []
    passCount = plan?.passes.count ?? 0
    passes = passCount > 1 ? found.passes : []
  }

  /// Without a receipt nothing is kept.
  package static func keep(
    _ found: Verification,
    of destination: String,
    in location: StateLocation
  ) throws(MigrationError) {
    guard location.isOfThisUser, Receipt.finished(in: location) != nil,
      let folder = try? DurableDirectory(location.path), let marker = StateMarker(of: folder),
      let moment = try? DurableFiles.moment(of: destination),
      let text = try? StableJSON.line(
        KeptVerification(destination: destination, moment: moment, found: found)
      )
    else { return }
    let file = OutputFile(KeptVerification.path(marker, location))
    try MigrationError.writing(try file.write(Array(text.utf8)))
  }

  private static func size(of folder: String) -> Int64 {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let sizes = names.lazy.compactMap { try? DurableFiles.size(of: "\(folder)/\($0)") }
    return sizes.reduce(0, +)
  }
}

/// A verification, and the destination as it was then.
private struct KeptVerification: Codable {
  let destination: String
  let moment: [Int64]
  let found: MigrationRecord.Verification

  static func path(_ marker: StateMarker, _ location: StateLocation) -> String {
    "\(location.path)/verification-\(marker.identity)"
  }

  init(destination: String, moment: [Int64], found: MigrationRecord.Verification) {
    (self.destination, self.moment, self.found) = (destination, moment, found)
  }

  /// `nil` without any, and where the destination has changed since.
  init?(of marker: StateMarker, in location: StateLocation) {
    guard
      let data = FileManager.default.contents(atPath: Self.path(marker, location)),
      let kept = try? JSONDecoder().decode(Self.self, from: data),
      (try? DurableFiles.moment(of: kept.destination)) == kept.moment
    else { return nil }
    self = kept
  }
}
