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

  /// Fills a buffer from an offset on, and returns the number of bytes up to its end or the database's, -1 after an
  /// error.
  package func read(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    if copy(into: target, at: offset) { return target.count }
    if offset == end, target.count < Self.size, fill(at: offset) {
      end = start + Int64(count)
      if copy(into: target, at: offset) { return target.count }
    }
    end = offset + Int64(target.count)
    return reading(target, offset)
  }

  /// Discards bytes read ahead that have been overwritten or cut off.
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
    target.copyMemory(from: UnsafeRawBufferPointer(buffer.part(place..<place + target.count)))
    return true
  }
}
