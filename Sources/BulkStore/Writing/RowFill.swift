/// Rows that a table gets at one go, in the order of their keys.
package struct RowFill: Hashable, Sendable {
  package let table: String
  package let columns: [String]
  package let streamsLargeValues: Bool
  /// Whether rows may come twice; the first counts.
  package let mayRepeat: Bool
  /// The keys between which those of the rows are; `nil` if that is not known.
  package let keys: ClosedRange<Int64>?

  package init(
    _ table: String,
    _ columns: [String],
    streamsLargeValues: Bool = false,
    mayRepeat: Bool = false,
    keys: ClosedRange<Int64>? = nil
  ) {
    self.table = table
    self.columns = columns
    self.streamsLargeValues = streamsLargeValues
    self.mayRepeat = mayRepeat
    self.keys = keys
  }

  /// Whether SQLite inserts the rows.
  package var needsSQL: Bool { streamsLargeValues || mayRepeat }

  package init(
    by transfer: RowTransfer,
    streamsLargeValues: Bool = false,
    keys: ClosedRange<Int64>? = nil
  ) {
    self.init(
      transfer.destination,
      transfer.assignments.map(\.column),
      streamsLargeValues: streamsLargeValues,
      mayRepeat: transfer.ignoresDuplicates,
      keys: keys
    )
  }
}

extension [RowFill] {
  /// The numbers of the fills of tables that are filled several times, one fill right after the other, with
  /// keys that follow those of the one before.
  package var series: [String: Int] {
    var result: [String: Int] = [:]
    for (table, all) in Dictionary(grouping: indices, by: { self[$0].table }) where all.count > 1 {
      let isSeries = zip(all, all.dropFirst()).allSatisfy { one, next in
        guard next == one + 1, let before = self[one].keys, let after = self[next].keys else {
          return false
        }
        return before.upperBound < after.lowerBound
      }
      if isSeries, !all.contains(where: { self[$0].needsSQL }) { result[table] = all.count }
    }
    return result
  }
}

/// The rows of a store that may be written as pages, and the indexes that are built with them.
package struct PageFills: Sendable {
  /// In the order in which tables get them.
  package let rows: [RowFill]
  /// The indexes of tables that get all rows in one series, over columns that do not change afterwards.
  package let indexes: [SchemaIndex]

  package init(_ rows: [RowFill], indexes: [SchemaIndex]) {
    self.rows = rows
    self.indexes = indexes
  }
}
