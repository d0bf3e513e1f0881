/// Counts the bytes that statements read of a source, and ends the reading at a limit.
///
/// What is read ahead of a request does not count until it is requested.
package final class ReadMeter {
  /// The operation of `sqlite3_file_control` that returns the meter of a file; SQLite's own are below 100.
  static let operation: Int32 = 4_201

  /// The bytes that were read.
  package private(set) var bytes: Int64 = 0
  /// The number of bytes beyond which reading fails with ``SQLiteResult/interrupted``.
  package var limit = Int64.max { didSet { isExhausted = false } }
  /// Whether a read failed because of the limit that is set now.
  package private(set) var isExhausted = false

  /// Counts a read, if it is within the limit, and returns whether it is.
  func allows(_ count: Int64) -> Bool {
    guard bytes + count <= limit else {
      isExhausted = true
      return false
    }
    bytes += count
    return true
  }
}
