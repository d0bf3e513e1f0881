internal import BulkStore
internal import BulkSupport

/// Puts a migrated store in place of the one from which it was made.
///
/// At every instant the old or the new store, complete, has the name. The old one keeps its file: it gets a
/// second name first, and the new one then takes over the first name in one step. The folder of external
/// values stays where it is, because both stores refer to the same files; its copy, which was made with the
/// migrated store, goes with the old one.
struct StoreSwap {
  private let names: KeptStore
  private let folder: StateFolder
  private let old: DestinationFiles

  init(_ names: KeptStore, in folder: StateFolder) {
    (self.names, self.folder) = (names, folder)
    old = DestinationFiles(names.store)
  }

  /// Marks the folder of external values beside the kept store as ours.
  private var mark: String { "kept-external-\(folder.identity)" }

  /// Refuses to begin if an older store is kept already; one that an interrupted swap kept does not count.
  func refuseExisting() throws(MigrationError) {
    let kept = names.kept
    if DurableFiles.exists(kept.store) && !isBegun { throw .keptStoreExists(kept.store) }
    if DurableFiles.exists(kept.externalSupport) && !hasMovedExternalData {
      throw .keptStoreExists(kept.externalSupport)
    }
  }

  /// Whether the store in place has its second name, or a copy there on a file system without hard links.
  private var isBegun: Bool {
    DurableFiles.isSameFile(names.kept.store, old.store)
      || DurableFiles.haveSameContents(names.kept.store, old.store)
  }

  /// Whether an interrupted swap has moved the copy of the external values into its place; once the stores are exchanged
  /// they belong to the kept one.
  private var hasMovedExternalData: Bool {
    folder.directory.contains(mark) && DurableFiles.exists(names.kept.externalSupport)
      && (!DurableFiles.exists(names.kept.store) || isBegun)
  }

  /// Undoes a swap that was begun, so that the store has a single name again.
  func abandon() throws(FileError) {
    // What the store was made of goes after that.
    try DurableFiles.synchronize(old.directory)
    discard()
    if isBegun { try? FileManager.default.removeItem(atPath: names.kept.store) }
  }

  func discard() {
    if hasMovedExternalData {
      try? FileManager.default.removeItem(atPath: names.kept.externalSupport)
    }
    names.new.remove()
  }

  /// Puts the new store in place.
  ///
  /// Throws ``MigrationError/stalePlan(_:)`` if the old store has another identity than the one that was
  /// migrated. `isStopped` is called regularly before the new store takes its place.
  func run(ifStill identity: String, isStopped: () -> Bool) throws {
    func confirmHold() throws {
      if folder.isOvertaken { throw MigrationError.fenced(stateDirectory: names.folder) }
    }
    try confirmHold()
    try refuseExisting()
    try MigrationError.translatingFileErrors {
      if DurableFiles.exists(names.new.externalSupport) {
        try folder.directory.makeFile(mark)
        try folder.directory.synchronize()
        // An interrupted swap moved them there.
        try? FileManager.default.removeItem(atPath: names.kept.externalSupport)
        try DurableFiles.move(names.new.externalSupport, to: names.kept.externalSupport)
        try DurableFiles.synchronize(old.directory)
        Failpoint.reached(.keptExternal)
      }
      try confirmHold()
      if !isBegun {
        try DurableFiles.publish(copying: old.store, as: names.kept.store, folder.identity)
      }
      // An interrupted swap may have given the name without that.
      try DurableFiles.synchronize(old.directory)
      Failpoint.reached(.kept)
      try FilePermissions(of: old.store).grant(to: names.new.store, givesOwner: true)
      try confirm(identity, isStopped)
      try confirmHold()
      try DurableFiles.move(names.new.store, to: old.store)
      Failpoint.reached(.swapped)
      try DurableFiles.synchronize(old.directory)
    }
  }

  /// Ensures that no process has the old store open and that it is the one that was migrated.
  private func confirm(
    _ identity: String,
    _ isStopped: () -> Bool
  ) throws(MigrationError) {
    do {
      let access = try ExclusiveAccess(old.store)
      defer { access.end() }
      let store = try PersistentStore(path: old.store)
      let found = try store.identification.run(isStopped: isStopped)
      // Reading closes the file, which releases the lock.
      guard found.text == identity, !store.hasChanged else {
        throw MigrationError.changedSource(old.store)
      }
    } catch {
      throw MigrationError.unusable(error, old.store)
    }
  }
}
