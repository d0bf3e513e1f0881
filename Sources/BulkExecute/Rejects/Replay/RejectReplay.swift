internal import BulkSupport
internal import BulkPlan
internal import BulkStore

/// Brings objects that were left out into the published destination, once the mapping, a policy or their source
/// values in the reject files were corrected.
///
/// A new store is made as if no object had failed, and takes the place of the destination, which is
/// kept with a `~` before its extension. Until then nothing changes, and nothing changes if an
/// object still fails.
package struct RejectReplay {
  private let folder: RejectFolder
  private let names: KeptStore
  private let settings: MigrationSettings
  private let events: MigrationEvents

  /// A replay of the rejected objects of a folder, in which nothing is left out, and no more may be lost than before.
  package init(
    of folder: RejectFolder,
    _ settings: MigrationSettings,
    events: MigrationEvents = MigrationEvents()
  ) {
    (self.folder, self.settings, self.events) = (folder, settings, events)
    let state = folder.location
    let marker = (try? DurableDirectory(state.path)).flatMap { StateMarker(of: $0) }
    names = KeptStore(
      folder.summary.destination,
      replayedIn: state,
      (marker ?? StateMarker()).identity
    )
  }

  /// Removes the files that a killed replay left in a state directory when everything else was done.
  package static func tidy(_ location: StateLocation) throws {
    guard DurableFiles.exists("\(location.path)/\(RejectSummary.replayName)"),
      try RejectFolder(location) == nil
    else { return }
    let state = try LockWait(.zero).enter(location) {}
    StateDirectory.removeReplay(from: state.directory)
    state.remove()
  }

  package var kept: String { names.kept.store }

  /// Rebuilds the destination.
  ///
  /// Throws with the code of a stale plan if the destination has changed since objects were left out of it, and
  /// of invalid objects if some would still have to be left out.
  package func run() throws -> MigrationRecord {
    let state = try LockWait(.zero).enter(folder.location) {}
    // The remaining files stay; the folder is unlocked.
    defer {
      state.remove()
      StateLocation(destination: names.store, stateDirectory: folder.location.path)
        .removePointerToNothing()
    }
    let swapped = try outcomeOfInterruptedSwap()
    if swapped == nil { try refuseChangedDestination() }
    return try InPlaceFolder.hold(names) { inPlace in
      let outcome = try swapped ?? replay(in: inPlace)
      try completeFiles()
      try record(in: state)
      return outcome
    }
  }

  /// Gives the destination the external values that the replay copied and the run did not: their files have been
  /// brought back beside the source since.
  ///
  /// The swap took the new copy for that of the former store.
  private func completeFiles() throws {
    let copied = names.kept.externalSupport
    guard DurableFiles.exists(copied) else { return }
    try MigrationError.translatingFileErrors {
      let folder = ExternalBinaryData.supportFolder(of: names.store)
      guard DurableFiles.exists(folder) else {
        return try FolderCopy(linksFiles: true).make(of: copied, as: folder)
      }
      // A second name is whole or not there, whenever the process is killed.
      try FolderCopy(linksFiles: true).complete(folder, from: copied)
    }
  }

  /// The outcome of an interrupted replay that has put its store in place already; `nil` if none has.
  private func outcomeOfInterruptedSwap() throws -> MigrationRecord? {
    guard let plan = try InPlaceFolder.plan(of: names),
      let finished = Receipt.finished(in: InPlaceFolder.state(of: names)),
      finished.plan == plan.fingerprint,
      !DurableFiles.exists(names.new.store), DurableFiles.exists(names.kept.store),
      !DurableFiles.isSameFile(names.kept.store, names.store),
      try isAsPublished(names.kept.store)
    else { return nil }
    return MigrationRecord(
      destinationPath: names.store,
      rows: finished.rows,
      size: ByteCount(bytes: try opened(names.store).size)
    )
  }

  private func isAsPublished(_ path: String) throws -> Bool {
    try opened(path).identification.run().text == folder.summary.destinationState
  }

  private func refuseChangedDestination() throws {
    guard try isAsPublished(names.store) else {
      throw MigrationError.stalePlan([
        "\(names.store) has changed since objects were left out of it, and a replay would undo that"
      ])
    }
  }

  private func opened(_ path: String) throws(MigrationError) -> PersistentStore {
    try MigrationError.planning(try PersistentStore.planned(at: path))
  }

  private func replay(in inPlace: InPlaceFolder) throws -> MigrationRecord {
    try inPlace.swap.refuseExisting()
    let former = try folder.plan()
    let corrected = try CorrectedSource(folder, of: former)
      .copy(as: names.folder + "/corrected-source.sqlite")
    let plan = try former.plannedAgain { request in
      request.sourceCopy = corrected
      request.destination = names.new.store
    }
    var settings = settings
    settings.rejects = RejectPolicy(.stop)
    // The run that left objects out was held to its limit, and this one loses no more.
    settings.lossLimit = .all
    var outcome = try inPlace.replace(
      by: plan,
      after: try InPlaceFolder.plan(of: names),
      reading: corrected,
      ifStill: folder.summary.destinationState,
      settings,
      events
    )
    outcome.destinationPath = names.store
    return outcome
  }

  /// Records in the state directory that no object is left out any more.
  ///
  /// Files with corrected values stay there for verifications, which need them.
  private func record(in state: StateFolder) throws {
    let location = folder.location
    if var receipt = Receipt.finished(in: location), receipt.rejected != nil,
      let made = Receipt.finished(in: InPlaceFolder.state(of: names))
    {
      (receipt.rejected, receipt.rows) = (nil, made.rows)
      (receipt.losses, receipt.tallies) = (made.losses, made.tallies)
      try CheckpointFiles(in: state.directory).writeReceipt(receipt)
    }
    RejectFolder.remove(RejectSummary.replayedName, from: state.directory)
    guard try InPlaceFolder.plan(of: names)?.source.corrections != nil else {
      return RejectFolder.remove(RejectSummary.folderName, from: state.directory)
    }
    try MigrationError.translatingFileErrors {
      try state.directory.replace(RejectSummary.replayedName, with: RejectSummary.folderName)
      try state.directory.synchronize()
    }
  }
}
