internal import BulkPlatform

/// What keeps a destination from being made.
package struct DestinationObstacle: Hashable, Sendable {
  /// The file or folder that is in the way, or is missing.
  package let path: String
  /// Why it is, as a clause.
  package let reason: String

  /// The first obstacle; `nil` if there is none.
  ///
  /// - Parameter store: The destination.
  package init?(_ store: String) {
    let files = DestinationFiles(store)
    if let existing = files.existing {
      (path, reason) = (existing, "is there already and is not overwritten")
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
