internal import BulkSupport

/// Compares a database that is not open with the page digests in its ``PageLog``.
///
/// Memory use does not depend on the size of the file: the log is read once for every 4 GiB of 4096-byte
/// pages.
package struct PageCheck {
  /// The number of pages whose digests are in memory at once, 8 bytes each.
  private static let window = 1 << 20
  private static let pagesBetweenChecks = 1 << 12

  private let path: String
  /// `nil` where it is lost, so that nothing can be compared.
  private let log: PlainFile?
  /// The database that the file began as a copy of.
  private let source: ReadOnlyFile?

  package static func log(of database: String) -> String { PageLog.path(of: database) }

  /// Opens the log of a database, which may have begun as a copy: a page that was never written must be the same
  /// there.
  package init(of database: String, copiedFrom source: SourceFile? = nil) throws(SQLiteError) {
    path = database
    self.source = try source.map { file throws(SQLiteError) in try file.reading() }
    log = try PlainFile(path: PageLog.path(of: database))
  }

  /// Compares every page with its digest at the commit of a transaction.
  ///
  /// Log records after that transaction were rolled back; they are cut off, so that the log can be
  /// continued. The transaction is `nil` for the last one, if its number was removed from the
  /// file's header. `isStopped` is asked every few thousand pages; a stop is an error.
  package func isSound(
    after transaction: Int64?,
    isStopped: () -> Bool
  ) throws(SQLiteError) -> Bool {
    guard let end = try end(of: transaction), let file = try PlainFile(path: path) else {
      return false
    }
    guard truncate(PageLog.path(of: path), off_t(end)) == 0 else { return false }
    guard let header = try file.read(100, at: 0) else { return false }
    let pageSize = header[16] == 0 && header[17] == 1 ? 65_536 : Int(header[16]) << 8
    guard pageSize >= 512, [1, 2].contains(header[18]), header[18] == header[19] else {
      return false
    }
    let pages = Int(header.bigEndian32(at: 28))
    guard file.size >= Int64(pages) * Int64(pageSize) else { return false }
    for first in stride(from: 0, to: pages, by: Self.window) {
      let count = min(Self.window, pages - first)
      let pages = first..<(first + count)
      guard try isSound(file, pages, pageSize: pageSize, upTo: end, isStopped) else { return false }
    }
    return true
  }

  /// The end of the last group of a transaction in the log; `nil` if it is missing or corrupt.
  private func end(of transaction: Int64?) throws(SQLiteError) -> Int64? {
    guard let log else { return nil }
    var digest = ContentDigest()
    var (found, isWhole, isPast): (Int64?, Bool, Bool) = (nil, true, false)
    var last: UInt32 = 0
    try log.eachRecord { record, offset in
      if record.kind == .end, !isPast, isWhole {
        isPast = transaction.map { Int64(record.number) > $0 } ?? false
        isWhole = isPast || record.value == digest.word
        if isWhole, !isPast { (found, last) = (offset, record.number) }
      }
      digest.take(record)
    }
    guard isWhole, let transaction else { return isWhole ? found : nil }
    return Int64(last) == transaction ? found : nil
  }

  private func isSound(
    _ file: PlainFile,
    _ pages: Range<Int>,
    pageSize: Int,
    upTo end: Int64,
    _ isStopped: () -> Bool
  ) throws(SQLiteError) -> Bool {
    // 0 marks a page that was never written; its content does not matter, unless it was copied.
    var digests = [UInt64](repeating: 0, count: pages.count)
    var copied = Int((source?.size ?? 0) / Int64(pageSize))
    try log?.eachRecord { record, offset in
      guard offset <= end else { return }
      switch record.kind {
      case .page:
        let page = Int(record.number) - 1
        if pages.contains(page) { digests[page - pages.lowerBound] = record.value }
      case .cut:
        copied = min(copied, Int(record.number))
        let first = max(Int(record.number), pages.lowerBound)
        for page in first..<max(first, pages.upperBound) { digests[page - pages.lowerBound] = 0 }
      case .end: break
      }
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 16)
    defer { buffer.deallocate() }
    for page in pages where digests[page - pages.lowerBound] != 0 || page < copied {
      if page.isMultiple(of: Self.pagesBetweenChecks), isStopped() {
        throw SQLiteError(.interrupted, message: "told to stop", path: path)
      }
      guard file.read(into: buffer, at: Int64(page) * Int64(pageSize)) == pageSize else {
        return false
      }
      let digest = PageRecord.digest(of: UnsafeRawBufferPointer(buffer), number: UInt32(page + 1))
      var known = digests[page - pages.lowerBound]
      if known == 0, let source {
        guard source.read(into: buffer, at: Int64(page) * Int64(pageSize)) == pageSize else {
          return false
        }
        known = PageRecord.digest(of: UnsafeRawBufferPointer(buffer), number: UInt32(page + 1))
      }
      guard digest == known else { return false }
    }
    return true
  }
}
