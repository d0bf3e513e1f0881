/// Reads a table's runs from the first to the last, one block at a time.
package struct AssociationReader: ~Copyable {
  private var source: BlockSource
  private var place = BlockSource.Place()

  /// Prepares to read a table.
  package init(_ table: AssociationTable) throws(AssociationError) {
    source = try BlockSource(table)
  }

  /// The next runs, in the order of their source keys, or nothing after the last.
  package mutating func nextRuns() throws(AssociationError) -> [AssociationRun]? {
    guard let runs = try source.runs(at: place) else { return nil }
    place = try source.place(after: place)
    return runs
  }
}
