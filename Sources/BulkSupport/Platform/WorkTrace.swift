import Synchronization

/// The actions of the engine, one line each, for tracing.
///
/// Statements and extents of pages arise far below the commands, on several connections and
/// threads, so one listener serves the process; without it, a check costs one load.
package enum WorkTrace {
  /// Whether there is a listener, which the process has one of, see above.
  private static let isOn = Atomic(false)
  /// The only one of the process, see above.
  private static let listener = Mutex<(@Sendable (String) -> Void)?>(nil)
  /// In characters of a statement.
  private static let limit = 500

  /// It may be called from any thread, one call at a time.
  package static func begin(_ report: @escaping @Sendable (String) -> Void) {
    listener.withLock { $0 = report }
    isOn.store(true, ordering: .relaxed)
  }

  /// A long statement is cut.
  package static func statement(_ sql: String, on path: String) {
    guard isOn.load(ordering: .relaxed) else { return }
    let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let text = words.count > limit ? "\(words.prefix(limit)) …" : words
    report("SQL \(name(path)): \(text)")
  }

  /// They are written past SQLite.
  package static func pages(from first: UInt32, count: Int, in path: String) {
    guard isOn.load(ordering: .relaxed) else { return }
    report("pages \(first) to \(Int(first) + count - 1) of \(name(path))")
  }

  private static func name(_ path: String) -> Substring {
    path.split(separator: "/").last ?? "memory"
  }

  private static func report(_ line: String) { listener.withLock { $0?(line) } }
}
