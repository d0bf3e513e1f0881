internal import BulkSupport

/// A folder of ours for work other than a migration, locked by this process.
///
/// An interrupted attempt leaves its files to the next one. Files of others stay, as in every
/// ``StateFolder``.
package final class ScratchFolder {
  private let folder: StateFolder

  /// Throws ``MigrationError/cannotCreate(path:reason:)`` if the folder is not ours,
  /// ``MigrationError/locked(stateDirectory:owner:)`` if another process works there.
  package init(_ path: String, isNamed: Bool) throws {
    let location = StateLocation(stateDirectory: path, isNamed: isNamed)
    do {
      folder = try LockWait(.zero).enter(location) {}
    } catch MigrationError.foreignFolder(let path) {
      throw Self.refusal(path, "already exists and was not made by bulkmigrate")
    } catch MigrationError.unsafeFolder(let path, let reason) {
      throw Self.refusal(path, reason)
    }
  }

  private static func refusal(_ path: String, _ reason: String) -> MigrationError {
    .cannotCreate(
      path: path,
      reason: "it \(reason), so nothing in it is touched; name another folder, or move it away"
    )
  }

  package func path(_ name: String) -> String {
    "\(folder.directory.path)/\(folder.identity)-\(name)"
  }

  /// Once all that is in the folder is on the disk.
  package func keep(_ draft: String, as name: String) throws {
    for file in try FileManager.default.subpathsOfDirectory(atPath: draft) {
      try DurableFiles.synchronize("\(draft)/\(file)")
    }
    try DurableFiles.synchronize(draft)
    try DurableFiles.move(draft, to: name)
  }

  /// Removes the files whose names ``path(_:)`` has made of one or begins with it.
  package func remove(_ name: String) { folder.removeFiles(of: "\(folder.identity)-\(name)") }

  /// Removes all files of ours.
  package func clear() { folder.removeAttemptFiles() }

  package func leave() { folder.lock.release() }

  /// Removes all files of ours, and the folder if it was made for them and nothing else is in it.
  package func remove() {
    clear()
    folder.remove()
  }
}
