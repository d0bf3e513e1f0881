internal import BulkSQLite

/// The outcome of the rows of a table beside the objects: of the persistent history, or of CloudKit's
/// tables.
package struct AncillaryChange: Sendable {
  package let table: FileTable
  package let conditions: [ColumnExpression]
  /// The last transaction of the history that is cut, with all before it; `nil` if none is, or it
  /// is another table.
  package let lastCutTransaction: Int64?
  private let numbers: [Int64: Int64]
  private let revision: HistoryRevision

  package init(
    to table: FileTable,
    keeping conditions: [ColumnExpression],
    after transaction: Int64? = nil,
    _ numbers: [Int64: Int64],
    _ revision: HistoryRevision = HistoryRevision()
  ) {
    self.table = table
    self.conditions = conditions
    lastCutTransaction = transaction
    self.numbers = numbers
    self.revision = revision
  }

  /// The transfer of the rows into a new store; ``revisions(_:)`` follow.
  package var transfer: RowTransfer {
    let numbered = AncillaryColumn(of: table)?.column
    let assignments = table.columns.map { column in
      let value = ColumnExpression.column(column.name)
      return RowTransfer.Assignment(
        column.name,
        column.name == numbered ? .renumbered(value, numbers) : value
      )
    }
    return RowTransfer(to: table.name, from: table.name, assignments, where: conditions)
  }

  /// The statements that set values when entities have their new numbers.
  package var revisions: [String] { revision.updates }

  /// The statements that change the rows of a copy with row ids from parameter 1 to parameter 2, in groups, each for all
  /// rows before the next one.
  ///
  /// Numbers become negative before they become the new ones, so that no two meet under a unique index.
  package var updates: [[String]] {
    guard !conditions.isEmpty else { return [] }
    let name = SQLText.quoted(table.name)
    let removal =
      "DELETE FROM main.\(name) AS s WHERE s.rowid BETWEEN ?1 AND ?2 "
      + "AND \(ColumnExpression.none([conditions]).sql)"
    let renumbered = numbers.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
    guard let column = AncillaryColumn(of: table)?.column, !renumbered.isEmpty else {
      return [[removal], revisions]
    }
    let number = SQLText.quoted(column)
    let cases = renumbered.map { "WHEN \($0.key) THEN -\($0.value)" }.joined(separator: " ")
    let update =
      "UPDATE main.\(name) SET \(number) = CASE \(number) \(cases) END "
      + "WHERE rowid BETWEEN ?1 AND ?2 AND \(number) IN (\(ColumnExpression.list(renumbered.map(\.key))))"
    let signChange =
      "UPDATE main.\(name) SET \(number) = -\(number) WHERE rowid BETWEEN ?1 AND ?2 AND \(number) < 0"
    return [[removal, update], [signChange] + revisions]
  }
}
