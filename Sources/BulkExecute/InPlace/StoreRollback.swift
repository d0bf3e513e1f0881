internal import BulkStore
internal import BulkSupport

/// Puts back the store that was kept when it was migrated in place.
///
/// The migrated one is kept beside it, as `Notes~undone.sqlite`, with everything written to it since.
package struct StoreRollback {
  private let names: KeptStore
  private let current: DestinationFiles

  package init(of store: String) {
    names = KeptStore(resolving: store)
    current = DestinationFiles(names.store)
  }

  /// Puts the kept store back, and returns the path of the migrated one.
  ///
  /// At every instant one of the two stores, complete, has the name.
  package func run() throws -> String {
    // A rollback has nothing in the folder; one that a migration left is not empty.
    let isLeft = StateFolder.isLeft(names.location)
    let folder = try LockWait(.zero).enter(names.location) {}
    defer { folder.remove() }
    let isEmpty = !folder.directory.contains(StateLocation.planName)
    if isLeft, isEmpty, !DurableFiles.exists(names.kept.store),
      DurableFiles.exists(names.undone.store)
    {
      return names.undone.store
    }
    return try restore(folder.identity)
  }

  /// The identity is part of the name of every temporary file.
  private func restore(_ identity: String) throws -> String {
    let (kept, undone) = (names.kept, names.undone)
    // Before the stores are exchanged the kept one is that in place.
    guard DurableFiles.exists(kept.store),
      !DurableFiles.isSameFile(kept.store, current.store)
    else { throw MigrationError.nothingToRollBack(kept.store) }
    try refuseUnreadable(kept.store)
    let isBegun = DurableFiles.isSameFile(undone.store, current.store)
    guard isBegun || !DurableFiles.exists(undone.store) else {
      let reason = "it exists already, from an earlier rollback; move it away"
      throw MigrationError.cannotCreate(path: undone.store, reason: reason)
    }
    try names.refuseInUse()
    do {
      try restoreExternalData(identity)
      Failpoint.reached(.restoredExternal)
      if !isBegun { try DurableFiles.publish(copying: current.store, as: undone.store, identity) }
      try DurableFiles.synchronize(current.directory)
      Failpoint.reached(.undone)
      try DurableFiles.move(kept.store, to: current.store)
      Failpoint.reached(.rolledBack)
      try DurableFiles.synchronize(current.directory)
    } catch let error as MigrationError {
      throw error
    } catch {
      throw MigrationError.failure(error, at: current.store)
    }
    return undone.store
  }

  private func refuseUnreadable(_ path: String) throws(MigrationError) {
    do {
      _ = try PersistentStore(path: path)
    } catch {
      throw .unusable(error, path)
    }
  }

  /// Makes the folder of external values serve both stores: no two values share a name.
  private func restoreExternalData(_ identity: String) throws {
    let (kept, undone) = (names.kept.externalSupport, names.undone.externalSupport)
    if DurableFiles.exists(current.externalSupport), !DurableFiles.exists(undone) {
      let draft = "\(undone).bulkmigrate-\(identity)"
      try? FileManager.default.removeItem(atPath: draft)
      // The next attempt may have another identity.
      defer { try? FileManager.default.removeItem(atPath: draft) }
      try FolderCopy().make(of: current.externalSupport, as: draft)
      try DurableFiles.move(draft, to: undone)
    }
    guard DurableFiles.exists(kept) else { return }
    // A second name is whole or not there, whenever the process is killed.
    try FolderCopy(linksFiles: true).complete(current.externalSupport, from: kept)
    try FileManager.default.removeItem(atPath: kept)
  }
}
