internal import BulkSupport
internal import BulkStore

/// Copies the scratch file of an attempt that may still be running, its journal and its page log.
///
/// The copy is valid only if the files did not change while they were copied.
enum ScratchCopy {
  /// Syncs the copies; throws ``FileError`` with `EBUSY` if the files changed while they were copied.
  static func write(_ path: String, to copy: String) throws(FileError) {
    let before = try moments(of: path)
    try DurableFiles.copy(path, to: copy)
    let log = ScratchStore(path).pageLog
    if DurableFiles.exists(log) { try DurableFiles.copy(log, to: ScratchStore(copy).pageLog) }
    let journal = path + "-journal"
    if DurableFiles.exists(journal) { try DurableFiles.copy(journal, to: copy + "-journal") }
    guard try moments(of: path) == before else { throw FileError(code: EBUSY, path: path) }
  }

  /// The modification times of the files, to the nanosecond, and their sizes.
  private static func moments(of path: String) throws(FileError) -> [Int64] {
    let beside = [path + "-journal", ScratchStore(path).pageLog]
    return try beside.reduce(DurableFiles.moment(of: path)) { found, file in
      found + ((try? DurableFiles.moment(of: file)) ?? [])
    }
  }
}
