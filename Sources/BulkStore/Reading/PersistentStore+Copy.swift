internal import BulkSQLite

extension PersistentStore {
  /// Copies the store into an existing file, as one whose journal and log are empty; it is not synced.
  ///
  /// - Throws: ``StoreError`` if a file cannot be read or written, or the work was stopped.
  package func copy(to path: String, isStopped: () -> Bool) throws(StoreError) {
    try DatabaseCopy(of: file, to: path).finish(isStopped: isStopped)
  }

  /// Copies the store as ``copy(to:isStopped:)`` and checks it in the same reading; an unsound one is not copied to
  /// its end.
  ///
  /// - Returns: Whether everything in the store is as SQLite leaves it, but for the entries of some indexes.
  /// - Throws: ``StoreError`` if a file cannot be read or written, or the work was stopped.
  package func copyIfSound(
    to path: String,
    besides indexes: Set<String>,
    isStopped: () -> Bool
  ) throws(StoreError) -> Bool {
    let copy = try DatabaseCopy(of: file, to: path)
    let check = soundness(besides: indexes)
    guard try check.run(noting: nil, willRead: copy.advance(through:), isStopped: isStopped) else {
      return false
    }
    try copy.finish(isStopped: isStopped)
    return true
  }
}
