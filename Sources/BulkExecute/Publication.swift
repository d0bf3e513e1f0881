internal import BulkPlan
internal import BulkStore
internal import Foundation

/// Gives a finished scratch store its name, after everything is on the disk.
struct Publication {
  private let source: PersistentStore
  private let state: StateDirectory
  private let files: DestinationFiles

  init(_ migration: Migration, _ source: PersistentStore, state: StateDirectory) {
    self.source = source
    self.state = state
    files = DestinationFiles(migration.plan.destination.store)
  }

  /// Publishes the store and its external data.
  ///
  /// - Throws: ``MigrationError/stalePlan(_:)`` if the source changed while it was read.
  func publish() throws(MigrationError) {
    do {
      let hasExternalData = try copyExternalData()
      try refuseChangedSource()
      try files.refuseExisting()
      try DurableFiles.setTransactionCounters(of: state.scratchStore)
      Failpoint.reached("counted")
      try DurableFiles.synchronize(state.scratchStore)
      Failpoint.reached("synchronized")
      if hasExternalData {
        try DurableFiles.move(state.scratchExternalData, to: files.externalSupport)
        Failpoint.reached("external")
      }
      do throws(FileError) {
        try DurableFiles.publish(state.scratchStore, as: files.store)
      } catch {
        // Values without their store are nobody's; they go back to where they are removed.
        if hasExternalData {
          try? DurableFiles.move(files.externalSupport, to: state.scratchExternalData)
        }
        throw error
      }
      Failpoint.reached("published")
      try DurableFiles.synchronize(files.directory)
      Failpoint.reached("durable")
    } catch let error as MigrationError {
      throw error
    } catch let error as FileError {
      throw error.asMigrationError
    } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
      throw .diskFull(path: state.scratchExternalData)
    } catch {
      throw .inputOutput(path: files.store, reason: "\(error)")
    }
  }

  /// Copies the folder of external values, if the source has one.
  ///
  /// - Returns: Whether it has one.
  private func copyExternalData() throws -> Bool {
    let folder = ExternalBinaryData.supportFolder(of: source.path)
    guard DurableFiles.exists(folder) else { return false }
    try FileManager.default.copyItem(atPath: folder, toPath: state.scratchExternalData)
    try synchronizeTree(state.scratchExternalData)
    return true
  }

  private func synchronizeTree(_ folder: String) throws {
    let names = FileManager.default.enumerator(atPath: folder)
    while let name = names?.nextObject() as? String {
      try DurableFiles.synchronize("\(folder)/\(name)")
    }
    try DurableFiles.synchronize(folder)
  }

  private func refuseChangedSource() throws(MigrationError) {
    if source.hasChanged { throw .changedSource(source.path) }
  }
}
