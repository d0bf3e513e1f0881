/// The inputs of expressions for some rows, in columns.
package struct ValuePage: Sendable {
  /// The keys of the source objects, one for each row.
  package let keys: [Int64]
  /// The values of each input, one for each row.
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

/// A row for which evaluation failed.
package struct RowFailure: Hashable, Sendable {
  /// The row's index in its page.
  package let row: Int
  /// The reason, as a sentence.
  package let message: String

  package init(row: Int, message: String) {
    self.row = row
    self.message = message
  }
}

/// The results of an expression for the rows of a page.
package struct EvaluatedPage<Value: Sendable>: Sendable {
  /// A value for each row; a failed row has a neutral value without meaning.
  package let values: [Value]
  /// The failed rows, each once, in ascending order.
  package let failures: [RowFailure]
}
