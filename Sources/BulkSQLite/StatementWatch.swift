internal import CBulkSQLite

/// Somebody who is asked while statements run whether they are to go on.
final class StatementWatch {
  /// The steps of SQLite's machine between two questions, a few milliseconds' worth.
  static let steps: Int32 = 250_000

  private let shouldStop: () -> Bool

  init(_ shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }

  /// Begins to ask; the connection must end before this does.
  func begin(on handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle,
      Self.steps,
      { object in
        guard let object else { return 0 }
        let watch = Unmanaged<StatementWatch>.fromOpaque(object).takeUnretainedValue()
        return watch.shouldStop() ? 1 : 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }
}
