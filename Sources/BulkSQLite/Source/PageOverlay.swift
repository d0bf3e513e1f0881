/// Pages in a database's log that take precedence over those in the file.
///
/// A write-ahead log holds newer pages; a hot rollback journal holds the pages as they were before the
/// transaction. Both are applied to the file in the same way.
struct PageOverlay: Sendable {
  /// The log file.
  let path: String
  /// The size of a page in bytes, of the database and of the overlay.
  let pageSize: Int
  /// The number of pages of the database with the overlay applied.
  let pageCount: Int64
  /// The numbers of the pages in the log, ascending.
  private let pages: [UInt32]
  /// The offset in the log of each of these pages.
  private let offsets: [Int64]

  /// Makes an overlay from pages in the order of the log.
  ///
  /// - Parameters:
  ///   - path: The log file.
  ///   - pageSize: The size of a page in bytes.
  ///   - pageCount: The number of pages of the database with the overlay applied.
  ///   - found: Page numbers and offsets; a page may occur more than once.
  ///   - keepsLast: Whether the last occurrence of a page wins, rather than the first.
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
