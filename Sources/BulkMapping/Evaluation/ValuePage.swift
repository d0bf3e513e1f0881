/// The inputs of expressions for some rows, column by column.
package struct ValuePage: Sendable {
  /// The keys of the source objects, one a row.
  package let keys: [Int64]
  /// The values of each input, one a row.
  package let columns: [SourceInput: [EvaluatedValue]]

  /// A page of rows; every column must have a value for every key.
  package init(keys: [Int64], columns: [SourceInput: [EvaluatedValue]]) {
    precondition(
      columns.values.allSatisfy { $0.count == keys.count },
      "a column of a page has one value a row"
    )
    self.keys = keys
    self.columns = columns
  }

  /// The number of rows.
  package var rowCount: Int { keys.count }
}

/// A row for which an expression has no value.
package struct RowFailure: Hashable, Sendable {
  /// The row's place in its page, from 0.
  package let row: Int
  /// Why, as a sentence.
  package let message: String

  package init(row: Int, message: String) {
    self.row = row
    self.message = message
  }
}

/// What an expression gives for the rows of a page.
package struct EvaluatedPage<Value: Sendable>: Sendable {
  /// A value for each row; for a row that failed the neutral one, which means nothing.
  package let values: [Value]
  /// The rows that failed, each once, in ascending order.
  package let failures: [RowFailure]
}
