/// The lines of a file, read piece by piece.
///
/// Memory holds the longest line, and 64 KiB.
package final class ByteLines {
  private let file: OpenFile
  private var buffer: [UInt8] = []
  /// Of the next line in the buffer.
  private var start = 0
  private var isAtEnd = false
  /// In the file, in bytes.
  private var offset: Int64 = 0

  package convenience init(_ path: String) throws(FileError) {
    self.init(try OpenFile(reading: path))
  }

  /// From its next byte on; nothing else may read it.
  package init(_ file: OpenFile) { self.file = file }

  /// In bytes.
  package var nextOffset: Int64 { offset + Int64(start) }

  /// The line must begin at the offset.
  package func seek(to offset: Int64) {
    if !buffer.isEmpty, offset >= self.offset, offset - self.offset <= Int64(buffer.count) {
      start = Int(offset - self.offset)
      return
    }
    lseek(file.descriptor, off_t(offset), SEEK_SET)
    (buffer, start, isAtEnd, self.offset) = ([], 0, false, offset)
  }

  /// Without its end; `nil` after the last.
  ///
  /// A last line without an end counts, unless it is empty.
  package func next() throws(FileError) -> [UInt8]? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      guard !isAtEnd else { return rest() }
      buffer.removeSubrange(..<start)
      (offset, start) = (offset + Int64(start), 0)
      searched = buffer.count
      let part = try file.read(OpenFile.partSize)
      isAtEnd = part.count < OpenFile.partSize
      buffer += part
    }
  }

  private func rest() -> [UInt8]? {
    guard start < buffer.count else { return nil }
    defer { start = buffer.count }
    return Array(buffer[start...])
  }
}
