internal import BulkPlatform

/// A file that is only read, by position.
final class PlainFile: Sendable {
  /// Where the file lies.
  let path: String
  /// Its size in bytes when it was opened.
  let size: Int64
  /// What the file system said of it then.
  let stamp: FileStamp
  private let descriptor: Int32

  /// Opens a file; gives `nil` if there is none.
  init?(path: String) throws(SQLiteError) {
    // Without O_NONBLOCK a named pipe would be waited for; it means nothing to a file.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.failure(path)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let error = Self.failure(path)
      close(descriptor)
      throw error
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw SQLiteError(.cannotOpen, message: "it is not a file", path: path)
    }
    self.path = path
    self.size = Int64(status.st_size)
    self.stamp = FileStamp(status)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads exactly so many bytes at an offset; `nil` where the file ends before.
  func read(_ count: Int, at offset: Int64) throws(SQLiteError) -> [UInt8]? {
    guard offset >= 0, Int64(count) <= size - offset else { return nil }
    var got = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      got = self.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      initialized = max(got, 0)
    }
    guard got >= 0 else { throw Self.failure(path) }
    return got == count ? bytes : nil
  }

  /// Fills a buffer from an offset on.
  ///
  /// - Returns: The number of bytes until the buffer or the file ended, or -1 after an error.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let count = pread(descriptor, base + done, buffer.count - done, off_t(offset) + off_t(done))
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return -1 }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// The path of the file that a path leads to, without links.
  static func resolved(_ path: String) throws(SQLiteError) -> String {
    guard let real = realpath(path, nil) else { throw failure(path) }
    defer { free(real) }
    return String(cString: real)
  }

  /// A digest of all its bytes.
  ///
  /// - Parameters:
  ///   - former: How far it was read before, if it was.
  ///   - isStopped: Is asked for every mebibyte whether to stop.
  ///   - note: Is told for every mebibyte how far it is read.
  /// - Returns: The digest.
  /// - Throws: ``SQLiteError`` if it cannot be read, or was told to stop.
  func contentDigest(
    after former: ContentReading?,
    isStopped: () -> Bool,
    _ note: (ContentReading) -> Void
  ) throws(SQLiteError) -> ContentDigest {
    let state = state
    var reading = former.flatMap { $0.isOf(state) ? $0 : nil } ?? ContentReading(of: state)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while reading.offset < size {
      let count = read(into: buffer, at: reading.offset)
      guard count >= 0 else { throw Self.failure(path) }
      guard !isStopped() else {
        throw SQLiteError(.interrupted, message: "told to stop", path: path)
      }
      if count == 0 { break }
      reading.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      note(reading)
    }
    return reading.digest
  }

  /// Which file it is and when it was last written or changed in any other way, as the file system says
  /// now.
  private var state: [Int64] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return [] }
    let times = [status.modified, status.changed]
    return [Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino)]
      + [Int64(status.st_size)] + times.flatMap { [Int64($0.tv_sec), Int64($0.tv_nsec)] }
  }

  private static func failure(_ path: String) -> SQLiteError {
    SQLiteError(.cannotOpen, message: String(cString: strerror(errno)), path: path)
  }
}
