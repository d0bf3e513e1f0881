internal import BulkSupport

/// The file of a report, which grows at its end.
// Its calls are `unsafe`: they read a path and the bytes of a buffer by pointer, and keep no pointer.
final class ReportFile {
  private let path: String
  private let descriptor: Int32
  private(set) var size: Int64 = 0

  /// For its owner alone; a file that had the name is removed, not overwritten.
  init(making path: String) throws(FileError) {
    self.path = path
    unsafe unlink(path)
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last(path) }
  }

  /// Opens a file and keeps only its first bytes; it is read from its beginning, then written.
  init(keeping bytes: Int64, of path: String) throws(FileError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last(path) }
    size = bytes
    guard ftruncate(descriptor, off_t(bytes)) == 0 else { throw .last(path) }
  }

  deinit { close(descriptor) }

  /// Fewer only at the end of the file.
  func read(_ count: Int) throws(FileError) -> [UInt8] {
    guard let bytes = FileReading.bytes(of: descriptor, upTo: count) else { throw .last(path) }
    return bytes
  }

  /// Fewer only at the end of the file.
  func read(_ count: Int, at offset: Int64) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    while true {
      let read = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
      }
      if read >= 0 { return Array(bytes.prefix(read)) }
      guard errno == EINTR else { throw .last(path) }
    }
  }

  func write(_ data: Data) throws(FileError) {
    try DurableFiles.write(data, at: off_t(size), to: descriptor, path)
    size += Int64(data.count)
  }

  func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .last(path) }
  }
}
