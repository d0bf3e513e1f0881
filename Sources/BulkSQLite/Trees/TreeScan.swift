/// Sums up tables and indexes of a database without SQLite, and validates their structure.
package struct TreeScan {
  private let pages: TreePages
  private let isStopped: () -> Bool

  /// A scan of a database; `nil` if the file cannot be read.
  ///
  /// - Parameters:
  ///   - path: The database; nothing is written, copied or locked.
  ///   - isStopped: Called every few hundred pages; returns whether to stop.
  package init?(path: String, isStopped: @escaping () -> Bool) {
    guard let pages = try? TreePages(path: path) else { return nil }
    self.pages = pages
    self.isStopped = isStopped
  }

  /// Scans a table.
  ///
  /// - Parameters:
  ///   - root: Its root page.
  ///   - columns: Its columns, in order.
  ///   - groups: The columns to sum up, group by group; each sum includes the row id.
  /// - Returns: The sums; `nil` if a row is invalid, keys do not ascend, or the scan was stopped.
  package func sums(ofTable root: UInt32, _ columns: [TreeColumn], groups: [[Int]]) -> [RowSum]? {
    walk(
      root,
      RecordReader(columns, groups: groups, endsWithRowID: false, pages),
      .max,
      isTable: true
    )
  }

  /// Scans an index.
  ///
  /// - Parameters:
  ///   - root: Its root page.
  ///   - columns: Its columns, in order; the row id follows them.
  ///   - entryLimit: The most entries that it may have.
  /// - Returns: The sum of all columns and the row id; `nil` if an entry is invalid or the scan was
  ///   stopped.
  package func sum(ofIndex root: UInt32, _ columns: [TreeColumn], entryLimit: Int64) -> RowSum? {
    let all = [Array(columns.indices)]
    let records = RecordReader(columns, groups: all, endsWithRowID: true, pages)
    return walk(root, records, entryLimit, isTable: false)?.first
  }

  private func walk(
    _ root: UInt32,
    _ records: consuming RecordReader,
    _ entryLimit: Int64,
    isTable: Bool
  ) -> [RowSum]? {
    var walk = TreeWalk(
      pages,
      records,
      isTable: isTable,
      entryLimit: entryLimit,
      isStopped: isStopped
    )
    do {
      try walk.run(root: root)
    } catch {
      return nil
    }
    return walk.sums
  }
}

/// The number of some rows and an order-independent sum of their digests.
///
/// Two lists with equal sums hold the same rows, except with a probability of 2^-64 or by deliberate
/// construction.
package struct RowSum: Hashable, Sendable {
  /// The number of rows.
  package private(set) var count: Int64 = 0
  private var sum: UInt64 = 0

  /// Adds a row by the digest of its values.
  mutating func add(_ digest: UInt64) {
    count += 1
    sum &+= digest
  }
}

/// The values that a column of a table or an index may hold, for reading its records without SQLite.
package struct TreeColumn: Sendable {
  /// The column's affinity.
  let affinity: ColumnAffinity
  /// The numbers that may occur besides NULL; `nil` if any may.
  let numbers: [Int64]?
  /// Whether the column is an alias of the row id; its records hold NULL.
  let isRowID: Bool

  /// - Parameters:
  ///   - affinity: The column's affinity.
  ///   - numbers: The numbers that may occur, few; `nil` if any may.
  ///   - isRowID: Whether the column is an alias of the row id.
  package init(_ affinity: ColumnAffinity, numbers: [Int64]? = nil, isRowID: Bool = false) {
    self.affinity = affinity
    self.numbers = numbers
    self.isRowID = isRowID
  }

  /// The storage classes that SQLite stores in the column unconverted.
  var classes: [Statement.StorageClass] {
    if isRowID { return [.null] }
    return switch affinity {
    case .integer: [.null, .integer]
    case .text: [.null, .text]
    case .blob: [.null, .integer, .real, .text, .blob]
    case .real, .numeric: [.null, .integer, .real]
    }
  }
}
