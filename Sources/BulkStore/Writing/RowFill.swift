/// Rows that a table gets at one go, in the order of their keys.
package struct RowFill: Hashable, Sendable {
  /// The table.
  package let table: String
  /// The columns for which rows have values.
  package let columns: [String]
  /// Whether some values may be streamed.
  package let streamsLargeValues: Bool
  /// Whether rows may come twice, of which the first counts.
  package let mayRepeat: Bool

  package init(
    _ table: String,
    _ columns: [String],
    streamsLargeValues: Bool,
    mayRepeat: Bool = false
  ) {
    self.table = table
    self.columns = columns
    self.streamsLargeValues = streamsLargeValues
    self.mayRepeat = mayRepeat
  }

  /// The rows of a transfer.
  package init(by transfer: RowTransfer, streamsLargeValues: Bool) {
    self.init(
      transfer.destination,
      transfer.assignments.map(\.column),
      streamsLargeValues: streamsLargeValues,
      mayRepeat: transfer.ignoresDuplicates
    )
  }
}
