/// The header of a database file, read without opening the database.
///
/// Source: “The Database Header”, section 1.3 of SQLite's file format document.
package struct DatabaseFile: Sendable {
  package var path: String { source.path }
  /// Its size in bytes, without a log.
  package let size: Int64
  /// Its first page, without the log.
  package let firstPage: [UInt8]
  package let pageSize: Int
  package let isInWriteAheadMode: Bool
  /// The checksum of the committed frames of its log; 0 if it has no valid log.
  package let logChecksum: UInt64
  /// The size in bytes of the database with the log applied.
  package let effectiveSize: Int64
  /// The number of pages that the log replaces; 0 if it has no valid log.
  package let loggedPages: Int64
  private let stamp: FileStamp
  private let source: SourceFile

  private static let magic = Array("SQLite format 3\0".utf8)
  private static let headerSize = 100

  /// Throws also if the file is not a database, or is truncated.
  package init(_ source: SourceFile) throws(SQLiteError) {
    let path = source.path
    let overlaid = try source.reading()
    let file = overlaid.database
    guard overlaid.size > 0 || file.size == 0 else {
      throw SQLiteError(
        .notADatabase,
        message: "it is empty once its journal is rolled back",
        path: path
      )
    }
    let header = try Self.header(of: file)
    let stated = Int(header[16]) << 8 | Int(header[17])
    let pageSize = stated == 1 ? 65_536 : stated
    guard (512...65_536).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
      throw SQLiteError(
        .notADatabase,
        message: "its header says a page has \(pageSize) bytes",
        path: path
      )
    }
    if overlaid.isPlain, source.substitute == nil {
      try Self.refuseTruncation(file, header: header, pageSize: pageSize)
    }
    self.source = source
    self.pageSize = pageSize
    size = file.size
    firstPage = try file.read(min(pageSize, Int(clamping: file.size)), at: 0) ?? header
    isInWriteAheadMode = header[19] == 2
    logChecksum = overlaid.logChecksum
    effectiveSize = overlaid.size
    loggedPages = overlaid.loggedPages
    stamp = file.stamp
  }

  /// A digest of the whole file in a few words; the bodies are called for every mebibyte.
  ///
  /// Reading part of the file is not enough: in WAL mode SQLite does not update the change counter.
  /// An earlier reading is ignored if the file has changed since.
  package func contentDigest(
    after former: ContentReading? = nil,
    isStopped: () -> Bool,
    _ note: (ContentReading) -> Void = { _ in }
  ) throws(SQLiteError) -> [UInt64] {
    let steps = DigestSteps(of: try PlainFile.existing(path), after: former)
    while try steps.next() {
      guard !isStopped() else {
        throw SQLiteError(.interrupted, message: "told to stop", path: path)
      }
      note(steps.reading)
    }
    return steps.reading.words
  }

  /// See ``contentDigest(after:isStopped:_:)``.
  package func digestSteps() throws(SQLiteError) -> DigestSteps {
    DigestSteps(of: try PlainFile.existing(path), after: nil)
  }

  /// Waits until a change of the file, without its log, would show in its attributes, two seconds at most; returns
  /// whether it would.
  package func waitUntilChangesShow() -> Bool {
    (try? PlainFile(path: path))?.waitUntilChangesShow() ?? false
  }

  /// Whether the file and its log are unchanged since the header was read.
  package func isUnchanged() throws(SQLiteError) -> Bool {
    let now = try DatabaseFile(source.closed)
    return now.stamp == stamp && now.logChecksum == logChecksum && now.firstPage == firstPage
  }

  private static func header(of file: PlainFile) throws(SQLiteError) -> [UInt8] {
    guard file.size > 0 else {
      throw SQLiteError(.notADatabase, message: "it is empty", path: file.path)
    }
    guard let header = try file.read(headerSize, at: 0), header.starts(with: magic) else {
      let message = "it is not an SQLite database\(try otherKind(of: file))"
      throw SQLiteError(.notADatabase, message: message, path: file.path)
    }
    return header
  }

  /// As the end of a sentence.
  private static func otherKind(of file: PlainFile) throws(SQLiteError) -> String {
    if try file.read(4, at: 0)?.starts(with: Array("PK\u{3}\u{4}".utf8)) == true {
      return "; it is a ZIP archive"
    }
    // SQLCipher encrypts whole pages, of 1,024 bytes at least, and the header with them.
    guard file.size % 1_024 == 0, let page = try file.read(4_096, at: 0) else { return "" }
    var counts = Array(repeating: 0, count: 256)
    for byte in page { counts[Int(byte)] += 1 }
    // Each byte is there 16 times on average; of random ones none is three times as often.
    return counts.allSatisfy { $0 < 48 } ? "; it may be encrypted (SQLCipher)" : ""
  }

  private static func refuseTruncation(
    _ file: PlainFile,
    header: [UInt8],
    pageSize: Int
  ) throws(SQLiteError) {
    // The page count in the header is valid only if it was written with the last change.
    let pages = Int64(header.bigEndian32(at: 28))
    let isCurrent = header.bigEndian32(at: 24) == header.bigEndian32(at: 92)
    guard isCurrent, pages > 0, file.size < pages * Int64(pageSize) else { return }
    throw SQLiteError(
      .corrupt,
      message:
        "it is cut off: it has \(file.size) of the \(pages * Int64(pageSize)) bytes that its "
        + "header states",
      path: file.path
    )
  }
}
