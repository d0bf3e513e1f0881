/// Reads a file for the digest of its content, a mebibyte at a time.
///
/// A reader of the file for another purpose can advance the digest with it, so that the system reads each part from the disk
/// once for both.
package final class DigestSteps {
  /// What is read so far.
  private(set) var reading: ContentReading
  private let file: PlainFile
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  private var failure: SQLiteError?

  /// - Parameters:
  ///   - file: The file.
  ///   - former: How much of it was read before, if any; ignored if the file has changed since.
  init(of file: PlainFile, after former: ContentReading?) {
    self.file = file
    let state = file.state
    reading = former.flatMap { $0.wasRead(in: state) ? $0 : nil } ?? ContentReading(of: state)
  }

  deinit { buffer.deallocate() }

  /// Reads the next part.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``SQLiteError`` if it cannot be read.
  func next() throws(SQLiteError) -> Bool {
    if let failure { throw failure }
    guard reading.offset < file.size else { return false }
    let count = file.read(into: buffer, at: reading.offset)
    guard count >= 0 else { throw file.failure }
    guard count > 0 else { return false }
    reading.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    return true
  }

  /// The bytes to which a reader may be ahead; who reads farther away has jumped, and may come back.
  private static let reach: Int64 = 32 << 20

  /// Reads on until a byte is among what was read, if that is near; a failure is thrown at the end.
  package func advance(through offset: Int64) {
    guard offset - reading.offset < Self.reach else { return }
    do throws(SQLiteError) {
      while reading.offset <= offset, try next() {}
    } catch {
      failure = error
    }
  }

  /// Reads the rest.
  ///
  /// - Returns: What was read: everything.
  /// - Throws: ``SQLiteError`` if any part could not be read.
  package func finish() throws(SQLiteError) -> ContentReading {
    while try next() {}
    return reading
  }
}

extension ContentReading {
  /// The digest of what was read, as words that are the same on every system.
  package var words: [UInt64] { digest.words }
}
