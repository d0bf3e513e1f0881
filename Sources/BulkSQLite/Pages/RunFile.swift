internal import BulkPlatform

/// Sorted runs of entries in an unnamed file: each word as its difference from that of the entry before, seven
/// bits in a byte, the least significant first.
final class RunFile {
  /// A run in the file.
  struct Run {
    /// Its place in bytes.
    let offset: Int64
    /// The number of bytes.
    let size: Int
    /// The number of entries.
    let count: Int
  }

  /// The most bytes of a word.
  static let mostBytes = 10
  /// The bytes that are read or written at once.
  static let blockSize = 1 << 16

  private let path: String
  private var descriptor: Int32 = -1
  private var end: Int64 = 0

  /// A file that is made when the first run is written.
  init(beside path: String) { self.path = path + "-runs" }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Writes a run.
  ///
  /// - Parameters:
  ///   - words: The entries.
  ///   - order: Their places in their order.
  ///   - count: The number of entries.
  ///   - width: The words of an entry.
  /// - Returns: The run.
  /// - Throws: ``SQLiteError`` if the file cannot be written.
  func write(
    _ words: UnsafeMutablePointer<UInt64>,
    _ order: UnsafeMutablePointer<UInt32>,
    count: Int,
    width: Int
  ) throws(SQLiteError) -> Run {
    if descriptor < 0 { try make() }
    let block = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.blockSize + Self.mostBytes * width,
      alignment: 16
    )
    let former = UnsafeMutablePointer<UInt64>.allocate(capacity: width)
    former.initialize(repeating: 0, count: width)
    defer {
      block.deallocate()
      former.deallocate()
    }
    guard let base = block.baseAddress else { throw failure() }
    let start = end
    var used = 0
    for index in 0..<count {
      let entry = words + Int(order[index]) * width
      for column in 0..<width {
        let difference = Int64(bitPattern: entry[column] &- former[column])
        former[column] = entry[column]
        var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
        while rest >= 0x80 {
          base.storeBytes(
            of: UInt8(truncatingIfNeeded: rest) | 0x80,
            toByteOffset: used,
            as: UInt8.self
          )
          used += 1
          rest >>= 7
        }
        base.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: used, as: UInt8.self)
        used += 1
      }
      if used >= Self.blockSize {
        try append(UnsafeRawBufferPointer(rebasing: block[..<used]))
        used = 0
      }
    }
    try append(UnsafeRawBufferPointer(rebasing: block[..<used]))
    return Run(offset: start, size: Int(end - start), count: count)
  }

  /// Reads bytes from an offset on.
  ///
  /// - Returns: The number of bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) -> Int
  {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor,
        buffer.baseAddress?.advanced(by: done),
        buffer.count - done,
        off_t(offset) + off_t(done)
      )
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      if count == 0 { break }
      done += count
    }
    return done
  }

  private func append(_ bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor,
        bytes.baseAddress?.advanced(by: done),
        bytes.count - done,
        off_t(end)
      )
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure() }
      done += count
      end += Int64(count)
    }
  }

  private func make() throws(SQLiteError) {
    // What a former process left under the name holds nothing of use.
    unlink(path)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure() }
    unlink(path)
  }

  private func failure() -> SQLiteError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains(errno)
    return SQLiteError(
      code: isFull ? SQLiteResult.full.rawValue : SQLiteResult.inputOutput.rawValue,
      message: "the sorted entries of an index cannot be kept",
      path: path,
      systemError: errno
    )
  }
}
