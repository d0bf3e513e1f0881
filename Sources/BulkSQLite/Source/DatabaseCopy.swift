internal import BulkSupport

/// Copies a database as SQLite would see it after recovery, so that it can be changed in the copy.
///
/// The copy is in rollback mode, and its user version is 0. A reader of the database for another
/// purpose can advance the copy, so that the system reads each part from the disk once for both.
package final class DatabaseCopy {
  private let source: ReadOnlyFile
  private let path: String
  private let target: PlainFile
  private var offset: Int64
  private var failure: SQLiteError?

  /// The bytes that are copied between two checks whether to stop.
  private static let partSize = 16 << 20
  /// The bytes that are held where the system cannot copy by itself.
  private static let bufferSize = 1 << 20
  /// The bytes by which a reader may be ahead; one that is farther away has jumped, and may come back.
  private static let reach: Int64 = 32 << 20

  /// Begins a copy of a database in an existing file, with blocks that both share where the file system can do that.
  package init(of file: SourceFile, to target: String) throws(SQLiteError) {
    source = try file.reading()
    (path, self.target) = (file.path, try PlainFile.existing(target, PlainFile.own))
    offset = source.share(with: self.target) ? source.size : 0
  }

  /// Copies through an offset, if that is near; a failure is thrown at the end.
  package func advance(through offset: Int64) {
    guard failure == nil, offset - self.offset < Self.reach else { return }
    do throws(SQLiteError) {
      while self.offset < source.size, self.offset <= offset { try copyPart() }
    } catch {
      failure = error
    }
  }

  /// Copies the rest without syncing the file; every few mebibytes it checks whether to stop.
  package func finish(isStopped: () -> Bool) throws(SQLiteError) {
    if let failure { throw failure }
    while offset < source.size {
      if isStopped() { throw SQLiteError(.interrupted, message: "told to stop", path: path) }
      try copyPart()
    }
    guard source.size >= 100 else { return }
    for (position, bytes) in [(Int64(18), [1, 1] as [UInt8]), (60, [0, 0, 0, 0])] {
      try target.write(bytes, at: position)
    }
  }

  private func copyPart() throws(SQLiteError) {
    let count = Int(min(Int64(Self.partSize), source.size - offset))
    let copied = source.copy(to: target, at: offset, count: count)
    offset += copied > 0 ? Int64(copied) : try copyByHand(count)
  }

  private func copyByHand(_ count: Int) throws(SQLiteError) -> Int64 {
    var bytes = [UInt8](repeating: 0, count: min(count, Self.bufferSize))
    let got = bytes.withUnsafeMutableBytes { source.read(into: $0, at: offset) }
    guard got > 0 else {
      throw SQLiteError(.inputOutput, message: "it cannot be read", path: path)
    }
    bytes.removeLast(bytes.count - got)
    try target.write(bytes, at: offset)
    return Int64(got)
  }
}
