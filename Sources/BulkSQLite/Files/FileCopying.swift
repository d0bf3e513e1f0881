package import BulkSupport
internal import CBulkSQLite

/// Copies contents of files as cheaply as their file systems can.
package enum FileCopying {
  /// The most bytes that are copied between two checks whether to stop.
  private static let partBytes = 64 << 20

  /// Copies an open file to an empty one: as a reference to the same blocks, within the system, or by reading.
  ///
  /// Throws `ECANCELED` if it was stopped.
  package static func copy(
    _ file: OpenFile,
    to copy: OpenFile,
    isStopped: () -> Bool
  ) throws(FileError) {
    if bulk_share_blocks(file.descriptor, copy.descriptor) == 0 { return }
    var offset = 0
    while !isStopped() {
      let count = bulk_copy_range(file.descriptor, copy.descriptor, Int64(offset), partBytes)
      if count < 0, SQLiteResult.isFull(errno) || errno == EIO { throw .last(copy.path) }
      // Not every pair of file systems can do it; the rest is read, if there is one.
      if count <= 0, errno != EINTR || count == 0 { break }
      offset += max(count, 0)
    }
    while !isStopped() {
      let part = try file.read(1 << 20, at: offset)
      if part.isEmpty { return }
      try copy.write(part, at: offset)
      offset += part.count
    }
    throw FileError(code: ECANCELED, path: copy.path)
  }

  /// Whether files of a folder can share the blocks of another file, so that a copy takes no space.
  package static func canShareBlocks(of path: String, in folder: String) -> Bool {
    guard let file = try? OpenFile(reading: path) else { return false }
    var template = Array((folder + "/.bulkmigrate-XXXXXX").utf8CString)
    // The call writes the name into the array, and keeps no pointer.
    let copy = mkstemp(&template)
    guard copy >= 0 else { return false }
    defer { close(copy) }
    _ = unlink(template)
    return withExtendedLifetime(file) { bulk_share_blocks($0.descriptor, copy) == 0 }
  }

  /// Whether all that a file system has to write can be written to the disk in one call.
  package static let canSynchronizeAll = BULK_CAN_SYNC_FILE_SYSTEM != 0

  /// Writes all that the file system of an open file has to write; returns 0, or the error of the system.
  package static func synchronizeAll(except file: Int32) -> Int32 {
    bulk_sync_file_system(file) == 0 ? 0 : errno
  }
}

package enum ParentProcess {
  /// Lets the system kill this process when its parent ends, also as the program that it becomes.
  package static func endWithIt() { _ = bulk_end_with_parent() }
}
