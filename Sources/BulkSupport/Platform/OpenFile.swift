/// A system call that failed.
package struct FileError: Error, Equatable {
  package let code: Int32
  package let path: String

  package init(code: Int32, path: String) { (self.code, self.path) = (code, path) }

  package static func last(_ path: String) -> FileError { FileError(code: errno, path: path) }

  package var reason: String {
    switch code {
    case ELOOP: "it is a symbolic link"
    case ENXIO: "it is a named pipe, a socket or a device"
    // The text belongs to the system and is copied at once.
    default: unsafe String(cString: strerror(code))
    }
  }

  package var isTaken: Bool { code == EEXIST }

  /// Whether no space was left, or the file exceeds the size that the process may write.
  package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
}

/// A file, a folder or a stream that is held open, and closed when nothing holds it any more.
// Its calls are `unsafe`: they read a path, fill a status, and read and write within the bounds of a buffer,
// by pointer, and keep no pointer.
package final class OpenFile: Sendable {
  /// For messages.
  package let path: String
  package let descriptor: Int32
  /// The bytes that are read at once where all are.
  package static let partSize = 1 << 16

  /// Opens a path, or a name in an open folder, whose path is then another one; a file that it makes is for its owner
  /// alone.
  package init(
    _ name: String,
    _ flags: Int32,
    mode: mode_t = 0o600,
    in folder: Int32 = AT_FDCWD,
    path: String? = nil
  ) throws(FileError) {
    self.path = path ?? name
    let file = unsafe openat(folder, name, flags | O_CLOEXEC, mode)
    guard file >= 0 else { throw .last(self.path) }
    descriptor = file
  }

  /// Opens a file or a folder to be read; throws `ENXIO` for a named pipe, a socket or a device.
  ///
  /// Streams of the process are read under the names that the system gives them.
  package convenience init(reading path: String) throws(FileError) {
    let isStream = FileReading.isNamedStream(path)
    // Without O_NONBLOCK opening a named pipe would wait.
    try self.init(path, O_RDONLY | (isStream ? 0 : O_NONBLOCK))
    if isStream { return }
    let kind = try status().kind
    guard kind == S_IFREG || kind == S_IFDIR else { throw FileError(code: ENXIO, path: path) }
  }

  deinit { close(descriptor) }

  package func status() throws(FileError) -> stat {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .last(path) }
    return status
  }

  /// Takes a lock of the file, as flock(2) has them; returns whether nobody else holds one that excludes it.
  package func lock(_ operation: Int32) throws(FileError) -> Bool {
    if flock(descriptor, operation | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw .last(path) }
    return false
  }

  /// The bytes at an offset, or the next ones; fewer only at the end of the file.
  package func read(_ count: Int, at offset: Int? = nil) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = unsafe bytes.withUnsafeMutableBytes {
      unsafe FileReading.fill($0, from: descriptor, at: offset.map { Int64($0) })
    }
    guard found >= 0 else { throw .last(path) }
    bytes.removeLast(count - found)
    return bytes
  }

  /// The bytes up to the end.
  package func rest() throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let part = try read(Self.partSize)
      bytes += part
      if part.count < Self.partSize { return bytes }
    }
  }

  /// Writes bytes at an offset, or behind those that were written last.
  package func write(_ bytes: some ContiguousBytes, at offset: Int? = nil) throws(FileError) {
    let isWritten = unsafe bytes.withUnsafeBytes {
      unsafe FileWriting.write($0, to: descriptor, at: offset.map { Int64($0) })
    }
    guard isWritten else { throw .last(path) }
  }

  package func truncate(to size: Int) throws(FileError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last(path) }
  }

  /// Waits until the bytes of a file, or the names in a folder, would survive a power cut.
  package func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .last(path) }
  }
}
