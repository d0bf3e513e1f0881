internal import BulkPlan
internal import BulkPlatform
internal import BulkStore
internal import Foundation

/// Finishes a scratch store and gives it its name, after everything is on the disk.
///
/// A store and its folder of external values come as one: from the moment when the finished store's
/// checkpoint is there until its name is, an interruption is made good by doing the same again.
struct Publication {
  private let sourcePath: String
  private let state: StateDirectory
  private let files: DestinationFiles

  init(_ plan: MigrationPlan, state: StateDirectory) {
    sourcePath = plan.source.store
    self.state = state
    files = DestinationFiles(plan.destination.store)
  }

  /// Brings the last of a store to the disk; nobody writes to its files afterwards.
  ///
  /// - Parameter meanwhile: Is called before every external value; what it throws ends the work.
  /// - Returns: Whether values lie outside of it.
  /// - Throws: ``MigrationError``.
  func finish(_ meanwhile: @escaping () throws -> Void) throws(MigrationError) -> Bool {
    try translated {
      let hasExternalData = try copyExternalData(meanwhile)
      // A source that is gone is noticed before the store gets its name.
      if let permissions = try? FilePermissions(of: sourcePath) {
        try permissions.grant(to: state.scratchStore)
      }
      try DurableFiles.setTransactionCounters(of: state.scratchStore)
      Failpoint.reached("counted")
      try DurableFiles.synchronize(state.scratchStore)
      Failpoint.reached("synchronized")
      return hasExternalData
    }
  }

  /// Whether the store has its name already, as far as an interrupted attempt brought it.
  private var isDone: Bool {
    guard DurableFiles.exists(files.store) else { return false }
    return !DurableFiles.exists(state.scratchStore)
      || DurableFiles.isSameFile(state.scratchStore, files.store)
      || DurableFiles.haveSameContents(state.scratchStore, files.store)
  }

  /// Gives the store and its external data their names, unless they have them.
  ///
  /// - Throws: ``MigrationError/unpublished(path:reason:stateDirectory:isDiskFull:)`` if they cannot get
  ///   them, ``MigrationError/fenced(stateDirectory:)`` if another attempt has taken over.
  func publish(hasExternalData: Bool) throws(MigrationError) {
    do {
      try giveNames(hasExternalData: hasExternalData)
    } catch {
      throw error.whilePublishing(from: state.path)
    }
  }

  private func giveNames(hasExternalData: Bool) throws(MigrationError) {
    try translated {
      let folder = Carry(state.scratchExternalData, as: files.externalSupport, state.attempt)
      if isDone { return try settle() }
      let isMoved = hasExternalData && folder.isMoved
      try files.refuseExisting(besidesExternalData: isMoved)
      guard !state.isOvertaken else { throw MigrationError.fenced(stateDirectory: state.path) }
      if hasExternalData && !isMoved {
        try folder.moveFolder()
        Failpoint.reached("external")
      }
      // The store must never be there without its values.
      if hasExternalData { try DurableFiles.synchronize(files.directory) }
      try Carry(state.scratchStore, as: files.store, state.attempt).publishFile()
      Failpoint.reached("published")
      try settle()
      Failpoint.reached("durable")
    }
  }

  /// Removes what interrupted attempts have left beside the names, and waits until these are on the disk.
  private func settle() throws {
    for name in [files.store, files.externalSupport] {
      Carry.removeCopies(beside: name, state.identity)
    }
    do throws(FileError) {
      try DurableFiles.synchronize(files.directory)
    } catch {
      throw MigrationError.unsettled(path: files.store, reason: error.reason)
    }
  }

  /// Copies the folder of external values, if the source has one.
  ///
  /// - Returns: Whether it has one.
  private func copyExternalData(_ meanwhile: @escaping () throws -> Void) throws -> Bool {
    let folder = ExternalBinaryData.supportFolder(of: sourcePath)
    guard DurableFiles.exists(folder) else { return false }
    try? FileManager.default.removeItem(atPath: state.scratchExternalData)
    try FolderCopy.make(of: folder, as: state.scratchExternalData, meanwhile)
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
