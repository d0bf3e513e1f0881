internal import BulkPlatform
package import BulkVersions
package import BulkStore

extension MigrationPlan {
  /// A page of the source that cannot be read, nor can its rows; all others can.
  public struct DamagedPage: Codable, Hashable, Sendable {
    /// The table.
    public var table: String
    /// The number of the page, from 1.
    public var page: Int64
    /// The least key that its rows may have; absent on the first page of the table.
    public var firstKey: Int64?
    /// The greatest key that its rows may have; absent on the last page of the table.
    public var lastKey: Int64?

    init(_ page: UnreadablePages.Page) {
      table = page.table
      self.page = Int64(page.number)
      firstKey = page.keys.lowerBound == .min ? nil : page.keys.lowerBound
      lastKey = page.keys.upperBound == .max ? nil : page.keys.upperBound
    }

    /// The keys that its rows may have.
    package var keys: ClosedRange<Int64> {
      let first = firstKey ?? .min
      return first...max(first, lastKey ?? .max)
    }
  }

  /// Makes every reader of the source skip its damaged pages as long as the value lives.
  ///
  /// - Returns: `nil` where there are none, or where they are skipped already.
  /// - Throws: ``PlanError`` if the source cannot be read, or a copy of it cannot be made.
  package func skippingDamage() throws(PlanError) -> UnreadablePages? {
    guard let damage, !UnreadablePages.areSkipped(in: source.store) else { return nil }
    let pages = damage.map {
      UnreadablePages.Page(
        table: $0.table,
        number: UInt32(clamping: $0.page),
        keys: $0.keys
      )
    }
    return try Self.skippingPages(pages, of: source.store)
  }

  /// Skips pages of a store; the copy lies where temporary files do.
  static func skippingPages(
    _ pages: [UnreadablePages.Page],
    of store: String
  ) throws(PlanError) -> UnreadablePages {
    do throws(StoreError) {
      return try UnreadablePages(pages, of: store, copyingTo: TemporaryFiles.folder)
    } catch {
      throw .store(error, path: store)
    }
  }
}

extension MigrationPlan.DamagedPage: CustomStringConvertible {
  /// The page and its keys, in words.
  public var description: String { "page \(page) of table \(table), with the rows of \(range)" }

  private var range: String {
    switch (firstKey, lastKey) {
    case (let first?, let last?): "keys \(first) to \(last)"
    case (let first?, nil): "keys from \(first) on"
    case (nil, let last?): "keys up to \(last)"
    case (nil, nil): "all keys"
    }
  }
}
