internal import BulkPlatform

/// The file system's attributes of a database and its logs, which reveal changes that leave the first page
/// and the size as they were.
package struct DatabaseStamp: Hashable, Sendable {
  private let files: [FileStamp?]

  /// The current state of the files.
  package init(path: String) {
    // Every reader creates and deletes an empty log.
    files =
      [Self.stamp(path, evenIfEmpty: true)]
      + ["-wal", "-journal"].map { Self.stamp(path + $0, evenIfEmpty: false) }
  }

  private static func stamp(_ path: String, evenIfEmpty: Bool) -> FileStamp? {
    var status = stat()
    guard stat(path, &status) == 0, evenIfEmpty || status.st_size > 0 else { return nil }
    return FileStamp(status)
  }
}
