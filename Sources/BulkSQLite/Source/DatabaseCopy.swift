internal import BulkPlatform

/// Copies a database as SQLite would see it after recovery, so that it can be changed in the copy.
///
/// The copy is in rollback mode, and its user version is 0.
package struct DatabaseCopy {
  private let source: ReadOnlyFile
  private let path: String

  /// The bytes that are copied between two checks whether to stop.
  private static let partSize = 16 << 20
  /// The bytes that are held where the system cannot copy by itself.
  private static let bufferSize = 1 << 20

  /// A copy of a database.
  ///
  /// - Throws: ``SQLiteError`` if it does not exist or cannot be read.
  package init(of path: String) throws(SQLiteError) {
    self.path = path
    source = try ReadOnlyFile(path: path)
  }

  /// Writes the copy into an existing file; it is not synced.
  ///
  /// - Parameters:
  ///   - target: The file.
  ///   - isStopped: Called for every few mebibytes; returns whether to stop.
  /// - Throws: ``SQLiteError`` if a file cannot be read or written, or the work was stopped.
  package func write(to target: String, isStopped: () -> Bool) throws(SQLiteError) {
    let descriptor = open(target, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      throw PositionalWriting.failure("it cannot be opened", path: target)
    }
    defer { close(descriptor) }
    let size = source.size
    if !source.share(with: descriptor) {
      var offset: Int64 = 0
      while offset < size {
        if isStopped() { throw SQLiteError(.interrupted, message: "told to stop", path: path) }
        offset += try copy(from: offset, to: descriptor, of: target)
      }
    }
    guard size >= 100 else { return }
    for (place, bytes) in [(Int64(18), [1, 1] as [UInt8]), (60, [0, 0, 0, 0])] {
      try write(bytes, to: descriptor, at: place, of: target)
    }
  }

  /// Copies some bytes that begin at an offset.
  ///
  /// - Returns: Their number.
  private func copy(
    from offset: Int64,
    to descriptor: Int32,
    of target: String
  ) throws(SQLiteError) -> Int64 {
    let count = Int(min(Int64(Self.partSize), source.size - offset))
    let copied = source.copy(to: descriptor, at: offset, count: count)
    if copied > 0 { return Int64(copied) }
    var bytes = [UInt8](repeating: 0, count: min(count, Self.bufferSize))
    let got = bytes.withUnsafeMutableBytes { source.read(into: $0, at: offset) }
    guard got > 0 else {
      throw SQLiteError(.inputOutput, message: "it cannot be read", path: path)
    }
    bytes.removeLast(bytes.count - got)
    try write(bytes, to: descriptor, at: offset, of: target)
    return Int64(got)
  }

  private func write(
    _ bytes: [UInt8],
    to descriptor: Int32,
    at offset: Int64,
    of target: String
  ) throws(SQLiteError) {
    let isWritten = bytes.withUnsafeBytes {
      PositionalWriting.write($0, to: descriptor, at: offset)
    }
    guard isWritten else { throw PositionalWriting.failure("it cannot be written", path: target) }
  }
}
