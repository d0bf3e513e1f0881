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
