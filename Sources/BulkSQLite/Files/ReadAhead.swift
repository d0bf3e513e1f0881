/// Reads a file for one connection, and more of it at once where it is read from front to back.
///
/// SQLite asks for a page at a time; a table that is read in the order of its keys lies mostly in the
/// order of its pages. Whoever writes the file too says so, see ``forget(_:)``.
package final class ReadAhead {
  /// The bytes that are read at once, and held, from the first time on that reads follow one another.
  package static let size = 1 << 16

  /// Fills a buffer from an offset on; gives the number of bytes, or -1 after an error.
  package typealias Reading = (UnsafeMutableRawBufferPointer, Int64) -> Int

  private let reading: Reading
  private var buffer: UnsafeMutableRawBufferPointer?
  /// What the buffer holds: where it begins in the file, and how many bytes.
  private var (start, count): (Int64, Int) = (0, 0)
  /// Where the last read that missed the buffer ended.
  private var end: Int64 = -1

  package init(_ reading: @escaping Reading) { self.reading = reading }

  deinit { buffer?.deallocate() }

  /// Fills a buffer from an offset on.
  ///
  /// - Returns: The number of bytes until the buffer or the database ended, or -1 after an error.
  package func read(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    if copy(into: target, at: offset) { return target.count }
    if offset == end, target.count < Self.size, fill(at: offset) {
      end = start + Int64(count)
      if copy(into: target, at: offset) { return target.count }
    }
    end = offset + Int64(target.count)
    return reading(target, offset)
  }

  /// Forgets what was read ahead of bytes that are other ones now, or of all behind them.
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
    let place = Int(offset - start)
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[place..<place + target.count]))
    return true
  }
}
