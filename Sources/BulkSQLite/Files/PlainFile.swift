internal import BulkSupport
internal import CBulkSQLite

/// An open file that is read and written at positions, closed when its last reference is released.
final class PlainFile: Sendable {
  let path: String
  let descriptor: Int32
  /// The file's attributes when it was opened.
  private let status: stat

  /// Opens it for reading, or with the system's flags; `nil` if it does not exist.
  init?(path: String, _ flags: Int32 = O_RDONLY) throws(SQLiteError) {
    // Without O_NONBLOCK, opening a named pipe would block; regular files ignore the flag.
    descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
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
    self.status = status
  }

  deinit { close(descriptor) }

  static func existing(_ path: String, _ flags: Int32 = O_RDONLY) throws(SQLiteError) -> PlainFile {
    if let file = try PlainFile(path: path, flags) { return file }
    throw SQLiteError(.cannotOpen, message: "no such file", path: path)
  }

  /// A file of this process, which replaces no other one and is read and written by it alone.
  static let own = O_RDWR | O_NOFOLLOW

  /// Its size in bytes when it was opened.
  var size: Int64 { Int64(status.st_size) }

  /// The file's attributes at that time.
  var stamp: FileStamp { FileStamp(status) }

  /// These, and the time of the last change of attributes.
  var state: [Int64] {
    stamp.numbers + [Int64(status.changed.tv_sec), Int64(status.changed.tv_nsec)]
  }

  /// Whether it still has the name under which it was opened.
  var isNamed: Bool {
    var named = stat()
    return lstat(path, &named) == 0 && named.st_ino == status.st_ino
      && named.st_dev == status.st_dev
  }

  /// `nil` if the file ends before.
  func read(_ count: Int, at offset: Int64) throws(SQLiteError) -> [UInt8]? {
    guard offset >= 0, Int64(count) <= size - offset else { return nil }
    var got = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      got = self.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      initialized = max(got, 0)
    }
    guard got >= 0 else { throw failure("it cannot be read") }
    return got == count ? bytes : nil
  }

  /// Fills a buffer from an offset on, and returns the number of bytes up to its end or the file's, -1 after an
  /// error.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    FileReading.fill(buffer, from: descriptor, at: offset)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SQLiteError) {
    guard FileWriting.write(bytes, to: descriptor, at: offset) else {
      throw failure("it cannot be written")
    }
  }

  func write(_ bytes: [UInt8], at offset: Int64) throws(SQLiteError) {
    try bytes.span.bytes.withUnsafeBytes { bytes throws(SQLiteError) in
      try write(bytes, at: offset)
    }
  }

  /// Lets another file share the blocks of this one, where the file system can.
  func share(with other: PlainFile) -> Bool { bulk_share_blocks(descriptor, other.descriptor) == 0 }

  /// Lets the system copy bytes to the same place of another file; -1 if it cannot.
  func copy(to other: PlainFile, at offset: Int64, count: Int) -> Int {
    bulk_copy_range(descriptor, other.descriptor, offset, count)
  }

  /// The path of the file that a path refers to; a link to a file is resolved, links to folders may stay.
  static func resolved(_ path: String) throws(SQLiteError) -> String {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let real = realpath(path, nil) else { throw failure(path) }
    defer { free(real) }
    return String(cString: real)
  }

  /// The longest time for which a file system gives the same time to two changes, in nanoseconds: two
  /// seconds where it keeps whole seconds only, otherwise some ticks of the system's clock.
  private static func tick(_ time: timespec) -> Int64 {
    time.tv_nsec == 0 ? 2_000_000_000 : 20_000_000
  }

  /// Waits until a change of the file that has just been opened would show in its attributes; `false` if the file has
  /// times that are still to come.
  func waitUntilChangesShow() -> Bool {
    let now = SystemHost.current.now().fileTime
    var longest: Int64 = 0
    // The distance of a time that is far away may not fit into nanoseconds.
    for time in [status.modified, status.changed] where time.tv_sec > now.tv_sec - 4 {
      guard time.tv_sec < now.tv_sec + 4 else { return false }
      let seconds = Int64(time.tv_sec - now.tv_sec) * 1_000_000_000
      longest = max(longest, seconds + Int64(time.tv_nsec - now.tv_nsec) + Self.tick(time))
    }
    guard longest <= 2_000_000_000 else { return false }
    if longest > 0 { SystemThread.pause(.nanoseconds(longest)) }
    return true
  }

  /// The error of a call on the file that has just failed.
  func failure(_ message: String) -> SQLiteError {
    let code = SQLiteResult.isFull(errno) ? SQLiteResult.full : .inputOutput
    return SQLiteError(code: code.rawValue, message: message, path: path, systemError: errno)
  }

  private static func failure(_ path: String) -> SQLiteError {
    let code = SQLiteResult.isFull(errno) ? SQLiteResult.full : .cannotOpen
    return SQLiteError(code, message: String(cString: strerror(errno)), path: path)
  }
}

/// The file system's attributes of a file, which change whenever the file is written or replaced.
///
/// They show whether a file changed while it was read; they cannot be compared with those of a copy.
struct FileStamp: Hashable, Sendable {
  /// The device, the inode, the size, and the time of the last change of content in seconds and nanoseconds.
  let numbers: [Int64]

  init(_ status: stat) {
    let written = status.modified
    numbers =
      [Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino)]
      + [Int64(status.st_size), Int64(written.tv_sec), Int64(written.tv_nsec)]
  }
}

/// The file system's attributes of a database and its logs, which reveal changes that leave the first page
/// and the size as they were.
package struct DatabaseStamp: Hashable, Sendable {
  private let files: [FileStamp?]

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

/// Reads a file for one connection, and reads ahead where reads are sequential.
///
/// SQLite requests one page at a time; a table that is read in key order is stored mostly in page
/// order. A connection that also writes the file must call ``forget(_:)``.
package final class ReadAhead {
  /// The bytes that are read and kept at once, as soon as one read follows another.
  package static let size = 1 << 16

  /// Fills a buffer with the bytes at an offset; returns the number of bytes, or -1 after an error.
  package typealias Reading = (UnsafeMutableRawBufferPointer, Int64) -> Int

  private let reading: Reading
  private var buffer: UnsafeMutableRawBufferPointer?
  /// The contents of the buffer: their offset in the file, and the number of bytes.
  private var (start, count): (Int64, Int) = (0, 0)
  /// The end of the last read that missed the buffer.
  private var end: Int64 = -1

  package init(_ reading: @escaping Reading) { self.reading = reading }

  deinit { buffer?.deallocate() }

  package func read(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    if copy(into: target, at: offset) { return target.count }
    if offset == end, target.count < Self.size, fill(at: offset) {
      end = start + Int64(count)
      if copy(into: target, at: offset) { return target.count }
    }
    end = offset + Int64(target.count)
    return reading(target, offset)
  }

  package func forget(_ bytes: Range<Int64>) {
    if bytes.overlaps(start..<start + Int64(count)) { count = 0 }
  }

  private func fill(at offset: Int64) -> Bool {
    let buffer =
      buffer ?? UnsafeMutableRawBufferPointer.allocate(byteCount: Self.size, alignment: 4096)
    self.buffer = buffer
    (start, count) = (offset, max(0, reading(buffer, offset)))
    return count > 0
  }

  private func copy(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
    guard let buffer, offset >= start, offset - start <= Int64(count - target.count) else {
      return false
    }
    let skipped = Int(offset - start)
    target.copyMemory(from: UnsafeRawBufferPointer(buffer.part(skipped..<skipped + target.count)))
    return true
  }
}
