/// The associations of a table, asked for key by key in ascending order.
///
/// One block is in memory.
package final class OrderedAssociations {
  private let table: AssociationTable
  private var reader: AssociationReader
  private var runs: [AssociationRun] = []
  private var place = 0
  private var lastKey: Int64?

  /// Prepares to read a table.
  package init(_ table: AssociationTable) throws(AssociationError) {
    self.table = table
    reader = try AssociationReader(table)
  }

  /// The first destination key of a source key; `nil` if it has none.
  ///
  /// - Parameter key: The key; if it is less than the one before, the table is read again from the start.
  /// - Returns: The destination key.
  /// - Throws: ``AssociationError`` if a segment is corrupt.
  package func destinationKey(of key: Int64) throws(AssociationError) -> Int64? {
    if let lastKey, key < lastKey {
      reader = try AssociationReader(table)
      (runs, place) = ([], 0)
    }
    lastKey = key
    while true {
      while place < runs.count, runs[place].lastSourceKey < key { place += 1 }
      if place < runs.count { break }
      guard let more = try reader.nextRuns() else { return nil }
      (runs, place) = (more, 0)
    }
    return runs[place].sourceKey <= key ? runs[place].destinationKey(of: key) : nil
  }
}
