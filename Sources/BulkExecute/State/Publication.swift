internal import BulkPlan
internal import BulkSupport
internal import BulkStore

/// Finishes a scratch store and publishes it, after everything is synced.
///
/// A store and its folder of external values are published together: between the finished store's
/// checkpoint and its name, an interruption is repaired by doing the same again.
struct Publication {
  private let source: MigrationPlan.SourceInput
  private let state: StateDirectory
  private let files: DestinationFiles

  init(_ plan: MigrationPlan, state: StateDirectory) {
    source = plan.source
    self.state = state
    files = DestinationFiles(plan.destination.store)
  }

  /// Completes and syncs a store, whose files are not written afterwards; returns whether it has external
  /// values.
  ///
  /// With `linksFiles` the source is ours too, so that both may have the same files. An error of `report`,
  /// which gets the number of external values that were copied, ends the work.
  func finish(
    linksFiles: Bool,
    _ numbers: (userVersion: Int32, applicationID: Int32),
    _ report: @escaping (Int64) throws -> Void
  ) throws(MigrationError) -> Bool {
    try translated {
      let hasExternalData = try copyExternalData(linksFiles: linksFiles, report)
      // A source that is gone is noticed before the store is published.
      if let permissions = try? FilePermissions(of: source.store) {
        try permissions.grant(to: state.scratchStore)
      }
      try DurableFiles.setHeader(of: state.scratchStore, numbers)
      Failpoint.reached(.counted)
      try DurableFiles.synchronize(state.scratchStore)
      Failpoint.reached(.synchronized)
      return hasExternalData
    }
  }

  var isDone: Bool {
    guard DurableFiles.exists(files.store) else { return false }
    return !DurableFiles.exists(state.scratchStore)
      || DurableFiles.isSameFile(state.scratchStore, files.store)
      || DurableFiles.haveSameContents(state.scratchStore, files.store)
  }

  /// Publishes the store and its external data, unless that is done.
  ///
  /// Throws ``MigrationError/unpublished(path:reason:stateDirectory:isDiskFull:)`` if that fails,
  /// ``MigrationError/fenced(stateDirectory:)`` if another attempt has taken over.
  func publish(hasExternalData: Bool) throws(MigrationError) {
    do {
      try giveNames(hasExternalData: hasExternalData)
    } catch {
      throw error.whilePublishing(from: state.path)
    }
  }

  private func giveNames(hasExternalData: Bool) throws(MigrationError) {
    try translated {
      let folder = NamePublisher(
        state.scratchExternalData,
        as: files.externalSupport,
        state.attempt
      )
      if isDone { return try finishNames() }
      let isPublished = hasExternalData && folder.isFolderPublished
      try files.refuseExisting(besidesExternalData: isPublished)
      guard !state.isOvertaken else { throw MigrationError.fenced(stateDirectory: state.path) }
      if hasExternalData && !isPublished {
        try folder.publishFolder()
        Failpoint.reached(.external)
      }
      // The store must never exist without its values.
      if hasExternalData { try DurableFiles.synchronize(files.directory) }
      try NamePublisher(state.scratchStore, as: files.store, state.attempt).publishFile()
      Failpoint.reached(.published)
      try finishNames()
      Failpoint.reached(.durable)
    }
  }

  /// Removes the files that interrupted attempts left beside the names, and syncs the names.
  private func finishNames() throws {
    // The folder of the destination may hold a million others, so it is not searched without need.
    for name in state.isContinued ? [files.store, files.externalSupport] : [] {
      NamePublisher.removeCopies(beside: name, state.identity)
    }
    do throws(FileError) {
      try DurableFiles.synchronize(files.directory)
    } catch {
      throw MigrationError.unsynchronizedName(path: files.store, reason: error.reason)
    }
  }

  private func copyExternalData(
    linksFiles: Bool,
    _ report: @escaping (Int64) throws -> Void
  ) throws -> Bool {
    let folder = ExternalBinaryData.supportFolder(of: source.store)
    guard DurableFiles.exists(folder) else { return false }
    try? FileManager.default.removeItem(atPath: state.scratchExternalData)
    try FolderCopy(bounds: source.boundsOfLinks, linksFiles: linksFiles, report: report)
      .make(of: folder, as: state.scratchExternalData)
    return true
  }

  private func translated<T>(_ body: () throws -> T) throws(MigrationError) -> T {
    do {
      return try body()
    } catch let error as MigrationError {
      throw error
    } catch let error as FileError where error.code == ENOENT && state.isOvertaken {
      throw .fenced(stateDirectory: state.path)
    } catch let error as FileError {
      throw error.asMigrationError
    } catch {
      throw .inputOutput(path: files.store, reason: "\(error)")
    }
  }
}
