/// Pages of a database that lie in a log beside it and take precedence over the file's own.
///
/// A write-ahead log holds newer pages; the journal of a transaction that never ended holds the
/// pages as they were before it. Both are laid over the file in the same way.
struct PageOverlay: Sendable {
  /// The log file.
  let path: String
  /// The size of a page in bytes, of the database and of the overlay.
  let pageSize: Int
  /// The number of pages of the database with the overlay applied.
  let pageCount: Int64
  /// The page numbers that lie in the log, ascending.
  private let pages: [UInt32]
  /// For each of them the offset of the page's bytes in the log.
  private let offsets: [Int64]

  /// An overlay of pages in the order in which they were met.
  ///
  /// - Parameters:
  ///   - path: The log file.
  ///   - pageSize: The size of a page in bytes.
  ///   - pageCount: The number of pages of the database with the overlay applied.
  ///   - found: Page numbers and offsets; a page may occur more than once.
  ///   - keepsLast: Whether the last place of a page counts, else the first.
  init(
    path: String,
    pageSize: Int,
    pageCount: Int64,
    found: [(page: UInt32, offset: Int64)],
    keepsLast: Bool
  ) {
    self.path = path
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

  /// Where a page, counted from 1, lies in the log, if it does.
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
