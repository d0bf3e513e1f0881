internal import BulkPlatform

/// What the file system says of a database and of the logs beside it, by which a change is noticed
/// that leaves the first page and the size as they are.
package struct DatabaseStamp: Hashable, Sendable {
  private let files: [FileStamp?]

  /// The state of the files now.
  package init(path: String) {
    // A log without content comes and goes with every reader.
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
