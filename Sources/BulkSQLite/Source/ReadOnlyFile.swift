internal import BulkSupport

/// A database file with its log applied, as SQLite would see it after recovery.
final class ReadOnlyFile: Sendable {
  /// The database's own file, without its log.
  let database: PlainFile
  private let main: PlainFile
  private let log: (file: PlainFile, overlay: PageOverlay)?
  /// The checksum of the log's committed frames; 0 without a log.
  let logChecksum: UInt64

  /// Symbolic links are resolved, and the log is expected beside their target, as in SQLite.
  init(_ source: SourceFile) throws(SQLiteError) {
    let file = try PlainFile.existing(source.path)
    let path = try PlainFile.resolved(source.path)
    database = file
    main = source.substitute ?? file
    let log: (file: PlainFile, overlay: PageOverlay)?
    // If both exist, SQLite rolls the journal back first; a store of Core Data never has both.
    if let file = try PlainFile(path: path + "-journal"),
      let journal = try RollbackJournal(file: file)
    {
      (log, logChecksum) = ((file, journal.overlay), 0)
    } else if let file = try PlainFile(path: path + "-wal"),
      let wal = try WriteAheadLog(file: file)
    {
      (log, logChecksum) = ((file, wal.overlay), wal.checksum)
    } else {
      (log, logChecksum) = (nil, 0)
    }
    // A file in place of a database has its log applied.
    self.log = source.substitute == nil ? log : nil
  }

  var isPlain: Bool { log == nil }

  /// The maximum number of pages that the log may hold, counting repeated ones.
  var loggedPages: Int64 {
    log.map { $0.file.size / Int64($0.overlay.pageSize) } ?? 0
  }

  /// In bytes, with the log applied.
  var size: Int64 {
    guard let overlay = log?.overlay else { return main.size }
    return overlay.pageCount * Int64(overlay.pageSize)
  }

  /// Returns the number of bytes up to the end of the buffer or the database, -1 after an error.
  ///
  /// The header read here always says rollback mode, so that SQLite does not look for a log.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    let wanted = Int(max(0, min(Int64(buffer.count), size - offset)))
    var done = 0
    while done < wanted {
      let part = part(at: offset + Int64(done), upTo: wanted - done)
      let target = buffer.part(done..<done + part.count)
      let count = part.file.read(into: target, at: part.offset)
      guard count >= 0 else { return -1 }
      done += count
      if count < part.count { break }
    }
    for byte in [18, 19] where offset <= byte && Int64(byte) < offset + Int64(done) {
      buffer[byte - Int(offset)] = 1
    }
    return done
  }

  /// Lets an open file share the blocks of this one, which must have no overlay; `true` if it has the whole content
  /// now, but for the mode in the header.
  func share(with other: PlainFile) -> Bool { isPlain && main.share(with: other) }

  /// Lets the system copy bytes to the same place of an open file, and returns their number, 0 or less if they must
  /// be read and written.
  func copy(to other: PlainFile, at offset: Int64, count: Int) -> Int {
    isPlain ? main.copy(to: other, at: offset, count: count) : -1
  }

  private func part(
    at position: Int64,
    upTo limit: Int
  ) -> (file: PlainFile, offset: Int64, count: Int) {
    guard let (log, overlay) = log else { return (main, position, limit) }
    let within = Int(position % Int64(overlay.pageSize))
    let count = min(limit, overlay.pageSize - within)
    let page = UInt32(clamping: position / Int64(overlay.pageSize) + 1)
    if let offset = overlay.offset(of: page) { return (log, offset + Int64(within), count) }
    return (main, position, count)
  }
}

/// A database that is only read, and the file from which its pages are read.
package struct SourceFile: Sendable {
  package let path: String
  /// The file that is read in place of the one at the path; `nil` for that one.
  let substitute: PlainFile?
  /// The file that all readers of this value share; `nil` where each opens its own.
  private var shared: ReadOnlyFile?

  package init(path: String) { (self.path, substitute) = (path, nil) }

  /// A database whose pages are read from another file, which has its log applied.
  ///
  /// Its identity, digest and attributes remain its own. The name of the other file is removed.
  package init(path: String, reading copy: String) throws(SQLiteError) {
    self.path = path
    substitute = try PlainFile.existing(copy)
    unlink(copy)
  }

  /// The same database, opened once for all that read it: they see one state of file and log.
  package func opened() throws(SQLiteError) -> SourceFile {
    var result = self
    result.shared = try reading()
    return result
  }

  /// The same database, which every reader opens again.
  var closed: SourceFile {
    var result = self
    result.shared = nil
    return result
  }

  func reading() throws(SQLiteError) -> ReadOnlyFile {
    if let shared { return shared }
    return try ReadOnlyFile(self)
  }
}
