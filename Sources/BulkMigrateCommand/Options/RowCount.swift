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

/// A number of threads.
struct ThreadCount {
  let threads: Int

  /// Parses a number from 1 on.
  init(parsing text: String) throws(ThreadCountError) {
    guard let threads = Int(text), threads >= 1, threads <= 1024 else {
      throw ThreadCountError(text: text)
    }
    self.threads = threads
  }
}

/// A text that is not a valid number of threads.
struct ThreadCountError: Error, CustomStringConvertible {
  let text: String

  var description: String { "'\(text)' is no number of threads from 1 to 1024; try 2" }
}
