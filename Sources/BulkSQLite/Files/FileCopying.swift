internal import BulkSupport
internal import CBulkSQLite

/// Copies contents of files as cheaply as their file systems can.
package enum FileCopying {
  /// The most bytes that are copied between two checks whether to stop.
  private static let partBytes = 64 << 20

  /// Copies an open file to an empty one: as a reference to the same blocks, within the system, or by reading.
  ///
  /// - Returns: 0, or the error of the system; `ECANCELED` if it was stopped.
  package static func copy(_ file: Int32, to copy: Int32, isStopped: () -> Bool) -> Int32 {
    if bulk_share_blocks(file, copy) == 0 { return 0 }
    var offset: off_t = 0
    while !isStopped() {
      let count = bulk_copy_range(file, copy, Int64(offset), partBytes)
      if count < 0, SQLiteResult.isFull(errno) || errno == EIO { return errno }
      // Not every pair of file systems can do it; the rest is read, if there is one.
      if count <= 0, errno != EINTR || count == 0 { break }
      offset += off_t(max(count, 0))
    }
    guard lseek(file, offset, SEEK_SET) == offset, lseek(copy, offset, SEEK_SET) == offset else {
      return errno
    }
    while !isStopped() {
      guard let bytes = FileReading.bytes(of: file, upTo: 1 << 20) else { return errno }
      if bytes.isEmpty { return 0 }
      guard FileWriting.write(bytes, to: copy) else { return errno }
    }
    return ECANCELED
  }

  /// Whether files of a folder can share the blocks of another file, so that a copy takes no space.
  package static func canShareBlocks(of path: String, in folder: String) -> Bool {
    guard let file = FileReading.open(path) else { return false }
    defer { close(file) }
    var template = Array((folder + "/.bulkmigrate-XXXXXX").utf8CString)
    // The call writes the name into the array, and keeps no pointer.
    let copy = mkstemp(&template)
    guard copy >= 0 else { return false }
    defer { close(copy) }
    _ = unlink(template)
    return bulk_share_blocks(file, copy) == 0
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
