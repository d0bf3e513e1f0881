/// Reads a ``PageLog`` from its beginning to the end of its whole records.
struct PageLogReader {
  private static let recordsAtOnce = 4096
  private let file: PlainFile

  /// Opens a log.
  ///
  /// - Throws: ``SQLiteError`` if it does not exist or cannot be read.
  init(_ path: String) throws(SQLiteError) {
    guard let file = try PlainFile(path: path) else {
      throw SQLiteError(.cannotOpen, message: "no such file", path: path)
    }
    self.file = file
  }

  /// Calls a body with every record and the offset after it, up to the first invalid record.
  func each(_ body: (PageRecord, Int64) -> Void) throws(SQLiteError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.recordsAtOnce * PageRecord.size,
      alignment: 16
    )
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      let count = file.read(into: buffer, at: offset)
      guard count >= 0 else {
        throw SQLiteError(.inputOutput, message: "it cannot be read", path: file.path)
      }
      for place in stride(from: 0, through: count - PageRecord.size, by: PageRecord.size) {
        guard let record = PageRecord(UnsafeRawBufferPointer(buffer), at: place) else { return }
        offset += Int64(PageRecord.size)
        body(record, offset)
      }
      if count < buffer.count { return }
    }
  }
}

extension ContentDigest {
  /// Adds a record.
  mutating func take(_ record: PageRecord) {
    withUnsafeBytes(
      of: (
        UInt64(record.number).littleEndian, UInt64(record.kind.rawValue).littleEndian,
        record.value.littleEndian, UInt64(0)
      )
    ) { update($0) }
  }
}
