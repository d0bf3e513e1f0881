internal import BulkPlatform

/// Sorted runs of entries in an unnamed file: each entry as its difference from the one before, seven bits in
/// a byte, the least significant first.
final class RunFile {
  /// A run in the file.
  struct Run {
    /// Its place in bytes.
    let offset: Int64
    /// The number of bytes.
    let size: Int64
    /// The number of entries.
    let count: Int
    /// How they are packed.
    let packing: EntryPacking
  }

  /// The bytes of a run that are read at once.
  static let readSize = 1 << 13

  /// The most runs that can be merged at once within some bytes of memory.
  static func mostRuns(in memory: Int) -> Int { min(max(memory / (2 * readSize), 2), 64) }

  /// The name that it had when it was made.
  let path: String
  private var descriptor: Int32 = -1
  private var end: Int64 = 0

  /// A file that is made when the first run is written.
  init(beside path: String) { self.path = path + "-runs" }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Begins a run; no other may be written before its end.
  ///
  /// - Parameters:
  ///   - packing: How its entries are packed.
  ///   - type: The type of an entry.
  /// - Returns: Its writer.
  /// - Throws: ``SQLiteError`` if the file cannot be made.
  func begin<Entry>(
    _ packing: EntryPacking,
    _ type: Entry.Type
  ) throws(SQLiteError) -> RunWriter<Entry> {
    if descriptor < 0 { try make() }
    return RunWriter(self, from: end, packing)
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

  /// Appends bytes of a run.
  ///
  /// - Returns: The end of the file.
  func append(_ bytes: UnsafeRawBufferPointer) throws(SQLiteError) -> Int64 {
    guard PositionalWriting.write(bytes, to: descriptor, at: end) else { throw failure() }
    end += Int64(bytes.count)
    return end
  }

  private func make() throws(SQLiteError) {
    // What a former process left under the name holds nothing of use.
    unlink(path)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure() }
    unlink(path)
  }

  private func failure() -> SQLiteError {
    PositionalWriting.failure("the sorted entries of an index cannot be kept", path: path)
  }
}
