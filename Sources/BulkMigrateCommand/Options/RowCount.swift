import BulkExecute

/// The parsing of a number of rows.
struct RowCount {
  let rows: Int64

  /// Parses the number of rows of a batch.
  init(parsing text: String) throws(RowCountError) {
    guard let rows = Int64(text), rows >= Migration.minimumBatchRows, rows <= 1 << 32 else {
      throw RowCountError(text: text)
    }
    self.rows = rows
  }
}

/// A text that is not a valid number of rows for a batch.
struct RowCountError: Error, CustomStringConvertible {
  let text: String

  var description: String {
    "'\(text)' is no number of rows from \(Migration.minimumBatchRows); try 100000"
  }
}
