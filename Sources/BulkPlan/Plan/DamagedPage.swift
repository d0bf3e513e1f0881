internal import BulkModel
internal import BulkPlatform
package import BulkVersions
package import BulkStore

extension MigrationPlan {
  /// A page of the source that cannot be read, with its rows; all others can.
  public struct DamagedPage: Codable, Hashable, Sendable {
    /// The table to which the page belongs.
    public var table: String
    /// The number of the page, from 1.
    public var page: Int64
    /// The least key that its rows may have; absent on the first page of the table.
    public var firstKey: Int64?
    /// The greatest key that its rows may have; absent on the last page of the table.
    public var lastKey: Int64?
    /// The number of its rows, as an index of the table holds them.
    public var rows: Int64
    /// True where fewer may be lost, since nothing but their keys and the room of the page tells how many there are.
    public var isUpperBound: Bool?

    init(_ page: UnreadablePages.Page) {
      table = page.table
      self.page = Int64(page.number)
      firstKey = page.keys.lowerBound == .min ? nil : page.keys.lowerBound
      lastKey = page.keys.upperBound == .max ? nil : page.keys.upperBound
      rows = page.rows.count
      isUpperBound = page.rows.isUpperBound ? true : nil
    }

    /// The keys that its rows may have.
    package var keys: ClosedRange<Int64> {
      let first = firstKey ?? .min
      return first...max(first, lastKey ?? .max)
    }
  }

  /// The rows of all damaged pages, or at most as many.
  public var unreadableRows: Int64 { (damage ?? []).reduce(0) { $0 + $1.rows } }

  /// The losses of damaged pages, by table: objects of its entity, or links.
  static func losses(_ damage: [DamagedPage], _ entities: [String]) -> [Loss] {
    let names = Dictionary(firstOf: entities.map { ("Z" + $0.uppercased(), $0) })
    return Dictionary(grouping: damage, by: \.table).sorted { $0.key < $1.key }
      .map { table, pages in
        Loss(
          names[table] != nil || !table.hasPrefix("Z_") ? .objects : .links,
          names[table] ?? table,
          pages.reduce(0) { $0 + $1.rows },
          isUpperBound: pages.contains { $0.isUpperBound == true },
          by: .damaged,
          reason: "they are on pages that cannot be read"
        )
      }
  }

  /// Whether a copy of the source without some pages or rows is read in its place.
  package var readsCopy: Bool { damage != nil || strays != nil }

  /// The damaged pages of the source, and its rows of no entity, to be skipped by what opens it with them; `nil` where
  /// there are none.
  ///
  /// - Throws: ``PlanError`` if the source cannot be read, or a copy of it cannot be made.
  package func skippingDamage() throws(PlanError) -> UnreadablePages? {
    guard readsCopy else { return nil }
    let pages = (damage ?? []).map {
      UnreadablePages.Page(
        table: $0.table,
        number: UInt32(clamping: $0.page),
        keys: $0.keys
      )
    }
    return try Self.skipping(pages, strays ?? [], of: source.store)
  }

  /// Skips pages and rows of a store; the copy lies where temporary files do.
  static func skipping(
    _ pages: [UnreadablePages.Page],
    _ strays: [StrayRows] = [],
    of store: String
  ) throws(PlanError) -> UnreadablePages {
    try PlanError.reading(
      store,
      try UnreadablePages(pages, strays, of: store, copyingTo: TemporaryFiles.folder)
    )
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
