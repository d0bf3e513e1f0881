internal import BulkPlatform
internal import BulkStore

/// Copies the scratch file of an attempt that may still be running, its journal and its page log.
///
/// The copy is valid only if the files did not change while they were copied.
struct ScratchCopy {
  let path: String

  /// Copies the file and, where they exist, its page log and its journal, and syncs the copies.
  ///
  /// - Throws: ``FileError``, with `EBUSY` if the files changed while they were copied.
  func write(to copy: String) throws(FileError) {
    let before = try moments()
    try DurableFiles.copy(path, to: copy)
    let log = ScratchStore(path).pageLog
    if DurableFiles.exists(log) { try DurableFiles.copy(log, to: ScratchStore(copy).pageLog) }
    let journal = path + "-journal"
    if DurableFiles.exists(journal) { try DurableFiles.copy(journal, to: copy + "-journal") }
    guard try moments() == before else { throw FileError(code: EBUSY, path: path) }
  }

  /// The modification times of the files, to the nanosecond, and their sizes.
  private func moments() throws(FileError) -> [Int64] {
    try Self.moment(of: path) + ((try? Self.moment(of: path + "-journal")) ?? [])
  }

  /// The modification time of a file, to the nanosecond, and its size.
  static func moment(of path: String) throws(FileError) -> [Int64] {
    var status = stat()
    // The call fills the status and keeps neither it nor the path.
    guard unsafe lstat(path, &status) == 0 else { throw .last(path) }
    let time = status.modified
    return [Int64(time.tv_sec), Int64(time.tv_nsec), Int64(status.st_size)]
  }
}
