/// Pages in a database's log that take precedence over those in the file.
///
/// A write-ahead log holds newer pages; a hot rollback journal holds the pages as they were before the
/// transaction. Both are applied to the file in the same way.
struct PageOverlay: Sendable {
  /// The size of a page in bytes, of the database and of the overlay.
  let pageSize: Int
  /// The number of pages of the database with the overlay applied.
  let pageCount: Int64
  /// The numbers of the pages in the log, ascending.
  private let pages: [UInt32]
  /// The offset in the log of each of these pages.
  private let offsets: [Int64]

  /// A page may occur more than once, in the order of the log.
  init(
    pageSize: Int,
    pageCount: Int64,
    found: [(page: UInt32, offset: Int64)],
    keepsLast: Bool
  ) {
    self.pageSize = pageSize
    self.pageCount = pageCount
    let sorted = found.sorted { ($0.page, $0.offset) < ($1.page, $1.offset) }
    var pages: [UInt32] = []
    var offsets: [Int64] = []
    for entry in sorted {
      if pages.last == entry.page {
        if keepsLast { offsets[offsets.count - 1] = entry.offset }
      } else {
        pages.append(entry.page)
        offsets.append(entry.offset)
      }
    }
    self.pages = pages
    self.offsets = offsets
  }

  /// The offset of a page, counted from 1, if it is in the log.
  func offset(of page: UInt32) -> Int64? {
    var low = 0
    var high = pages.count
    while low < high {
      let middle = (low + high) / 2
      if pages[middle] < page { low = middle + 1 } else { high = middle }
    }
    return low < pages.count && pages[low] == page ? offsets[low] : nil
  }
}

/// Reads the journal of a transaction that never ended: the pages as they were before it.
///
/// Source of the format: “The Rollback Journal”, section 3 of SQLite's file format document.
struct RollbackJournal {
  let overlay: PageOverlay
  static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  private static let headerSize = 28

  /// Reads a journal; returns `nil` if it is not hot, because the commit cleared its header.
  ///
  /// Throws if the journal belongs to a multi-file transaction.
  init?(file: PlainFile) throws(SQLiteError) {
    guard let first = try file.read(Self.headerSize, at: 0), first.starts(with: Self.magic) else {
      return nil
    }
    try Self.refuseSuperJournal(file)
    let pageSize = Int(first.bigEndian32(at: 24))
    let sectorSize = Int64(first.bigEndian32(at: 20))
    guard
      (512...65_536).contains(pageSize), pageSize.nonzeroBitCount == 1,
      (32...65_536).contains(sectorSize), sectorSize.nonzeroBitCount == 1
    else { return nil }
    overlay = PageOverlay(
      pageSize: pageSize,
      pageCount: Int64(first.bigEndian32(at: 16)),
      found: try Self.records(file, pageSize, sectorSize),
      keepsLast: false
    )
  }

  /// The records of all sections of the journal, in order.
  private static func records(
    _ file: PlainFile,
    _ pageSize: Int,
    _ sectorSize: Int64
  ) throws(SQLiteError) -> [(page: UInt32, offset: Int64)] {
    var found: [(page: UInt32, offset: Int64)] = []
    var section: Int64 = 0
    while let header = try file.read(headerSize, at: section), header.starts(with: magic) {
      let nonce = header.bigEndian32(at: 12)
      var offset = section + sectorSize
      // All ones, or zero in a journal that was never synced, means: up to the end of the file.
      let stated = header.bigEndian32(at: 8)
      let limit = stated == .max || stated == 0 ? Int64.max : Int64(stated)
      var count: Int64 = 0
      while count < limit, let record = try file.read(pageSize + 8, at: offset) {
        guard isSound(record, nonce: nonce) else { return found }
        found.append((record.bigEndian32(at: 0), offset + 4))
        offset += Int64(record.count)
        count += 1
      }
      guard limit != .max, count == limit else { break }
      section = (offset + sectorSize - 1) / sectorSize * sectorSize
    }
    return found
  }

  /// Whether a page between its number and its checksum is one.
  private static func isSound(_ record: [UInt8], nonce: UInt32) -> Bool {
    let end = record.count - 4
    return record.bigEndian32(at: 0) != 0
      && sum(of: record[4..<end], from: nonce) == record.bigEndian32(at: end)
  }

  /// The checksum of a page: every 200th byte from its end.
  static func sum(of page: ArraySlice<UInt8>, from nonce: UInt32) -> UInt32 {
    stride(from: page.count - 200, to: 0, by: -200)
      .reduce(nonce) { $0 &+ UInt32(page[page.startIndex + $1]) }
  }

  private static func refuseSuperJournal(_ file: PlainFile) throws(SQLiteError) {
    guard file.size >= 16, let end = try file.read(8, at: file.size - 8), end == magic else {
      return
    }
    throw SQLiteError(
      .cannotOpen,
      message: "its journal belongs to a transaction over several files; open it once with the "
        + "program that wrote it, so that the transaction is rolled back",
      path: file.path
    )
  }
}
