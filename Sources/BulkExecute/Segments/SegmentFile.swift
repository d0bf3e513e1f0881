import BulkSupport

/// An open file, closed when it goes out of scope.
struct SegmentFile: ~Copyable {
  let path: String
  private let descriptor: Int32

  /// The file must not exist.
  init(creating path: String) throws(AssociationError) {
    try self.init(path, flags: O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, operation: "created")
  }

  init(reading path: String) throws(AssociationError) {
    // A named pipe must not be waited for.
    try self.init(path, flags: O_RDONLY | O_CLOEXEC | O_NONBLOCK, operation: "opened")
  }

  /// The file is deleted when it is closed, even if the process crashes.
  static func unnamed(_ path: String) throws(AssociationError) -> SegmentFile {
    let flags = O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC
    let file = try SegmentFile(path, flags: flags, operation: "created")
    guard unsafe unlink(path) == 0 else { throw failure(path, "removed") }
    return file
  }

  private init(_ path: String, flags: Int32, operation: String) throws(AssociationError) {
    let descriptor = unsafe open(path, flags | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, operation) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  func size() throws(AssociationError) -> Int {
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else { throw Self.failure(path, "measured") }
    return Int(end)
  }

  func append(_ bytes: [UInt8]) throws(AssociationError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if written == 0 {
        throw .system(path: path, operation: "written", code: ENOSPC)
      } else if errno != EINTR {
        throw Self.failure(path, "written")
      }
    }
  }

  /// Fewer only at the end of the file.
  func read(_ count: Int, at offset: Int) throws(AssociationError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = unsafe bytes.withUnsafeMutableBytes {
      unsafe FileReading.fill($0, from: descriptor, at: Int64(offset))
    }
    guard found >= 0 else { throw Self.failure(path, "read") }
    bytes.removeLast(count - found)
    return bytes
  }

  /// Waits until the bytes would survive a power failure.
  func synchronize() throws(AssociationError) {
    guard fsync(descriptor) == 0 else { throw Self.failure(path, "synchronized") }
  }

  /// Waits until the names would survive a power failure.
  static func synchronizeFolder(_ path: String) throws(AssociationError) {
    try SegmentFile(reading: path).synchronize()
  }

  static func message(of code: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    guard unsafe strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func failure(_ path: String, _ operation: String) -> AssociationError {
    .system(path: path, operation: operation, code: errno)
  }
}
