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
      if isDone { return try finishNames() }
      let (values, name) = (state.scratchExternalData, files.externalSupport)
      let isPublished = hasExternalData && FolderCopy.isWhole(name, of: values)
      try files.refuseExisting(besidesExternalData: isPublished)
      guard !state.isOvertaken else { throw MigrationError.fenced(stateDirectory: state.path) }
      if hasExternalData && !isPublished {
        try FolderCopy.publish(values, as: name, state.attempt)
        Failpoint.reached(.external)
      }
      // The store must never exist without its values.
      if hasExternalData { try DurableFiles.synchronize(files.directory) }
      try nameStore()
      Failpoint.reached(.published)
      try finishNames()
      Failpoint.reached(.durable)
    }
  }

  private func nameStore() throws(FileError) {
    do throws(FileError) {
      try DurableFiles.publish(state.scratchStore, as: files.store)
    } catch {
      guard error.code == EXDEV else { throw error }
      try DurableFiles.publish(copying: state.scratchStore, as: files.store, state.attempt)
    }
  }

  /// Removes the files that interrupted attempts left beside the names, and syncs the names.
  private func finishNames() throws {
    // The folder of the destination may hold a million others, so it is not searched without need.
    if state.isContinued, let folder = try? DurableDirectory(files.directory, followsLink: true) {
      let copies = [files.store, files.externalSupport].map {
        "\(URL(fileURLWithPath: $0, isDirectory: false).lastPathComponent).bulkmigrate-\(state.identity)"
      }
      for name in folder.names where copies.contains(where: name.hasPrefix) {
        folder.removeTree(name)
      }
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

/// The files that make up a store.
///
/// They are the database, SQLite's files beside it, and the folder of external binary data; they are
/// published and removed together.
struct DestinationFiles {
  let store: String

  init(_ store: String) { self.store = store }

  var externalSupport: String { ExternalBinaryData.supportFolder(of: store) }

  private var all: [String] {
    [store, store + "-wal", store + "-shm", store + "-journal", externalSupport]
  }

  var existing: String? { all.first(where: DurableFiles.exists) }

  /// External data are left aside where they were published already.
  func refuseExisting(besidesExternalData: Bool = false) throws(MigrationError) {
    let existing = all.filter { !besidesExternalData || $0 != externalSupport }
      .first(where: DurableFiles.exists)
    if let existing { throw .destinationExists(existing) }
  }

  func remove() {
    for path in all { try? FileManager.default.removeItem(atPath: path) }
  }

  var directory: String {
    guard let slash = store.lastIndex(of: "/") else { return "." }
    return slash == store.startIndex ? "/" : String(store[..<slash])
  }
}

package struct DestinationObstacle: Hashable, Sendable {
  package let path: String
  /// As a clause.
  package let reason: String

  package init?(_ store: String) {
    let files = DestinationFiles(store)
    if let existing = files.existing {
      (path, reason) = (existing, "already exists and is not overwritten")
    } else if !DurableFiles.exists(files.directory) {
      (path, reason) = (files.directory, "is the destination's folder and does not exist")
    } else if !FileManager.default.isWritableFile(atPath: files.directory) {
      (path, reason) = (
        files.directory, "is the destination's folder, and nothing may be made in it"
      )
    } else {
      return nil
    }
  }
}
