internal import BulkSQLite

/// A check of a whole store, on any thread.
package struct StoreSoundness: Sendable {
  private let check: SoundnessCheck

  fileprivate init(_ check: SoundnessCheck) { self.check = check }

  /// Reads every page of the store.
  ///
  /// - Parameter isStopped: Called regularly; returns whether to stop.
  /// - Returns: Whether everything in the file is as SQLite leaves it, so that it can be changed in a copy.
  /// - Throws: ``StoreError`` if the work was stopped.
  package func run(isStopped: () -> Bool) throws(StoreError) -> Bool {
    try run(noting: nil, isStopped: isStopped)
  }

  func run(
    noting census: KeyCensus?,
    willRead: (Int64) -> Void = { _ in },
    isStopped: () -> Bool
  ) throws(StoreError) -> Bool {
    do throws(SQLiteError) {
      return try check.isSound(noting: census, willRead: willRead, isStopped: isStopped)
    } catch {
      guard error.result == .interrupted else { return false }
      throw .sqlite(error)
    }
  }
}

extension PersistentStore {
  /// The check of the store; the entries of some indexes do not matter.
  package func soundness(besides indexes: Set<String>) -> StoreSoundness {
    StoreSoundness(SoundnessCheck(of: path, besides: indexes))
  }

  /// Copies the store into an existing file, as one whose journal and log are empty; it is not synced.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isStopped: Called regularly; returns whether to stop.
  /// - Throws: ``StoreError`` if a file cannot be read or written, or the work was stopped.
  package func copy(to path: String, isStopped: () -> Bool) throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in
      try DatabaseCopy(of: self.path, to: path).finish(isStopped: isStopped)
    }
  }

  /// Copies the store as ``copy(to:isStopped:)`` and checks it in the same reading; an unsound one is not copied to its end.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - indexes: The names of indexes whose entries do not matter.
  ///   - isStopped: Called regularly; returns whether to stop.
  /// - Returns: Whether everything in the store is as SQLite leaves it.
  /// - Throws: ``StoreError`` if a file cannot be read or written, or the work was stopped.
  package func copyIfSound(
    to path: String,
    besides indexes: Set<String>,
    isStopped: () -> Bool
  ) throws(StoreError) -> Bool {
    let copy = try StoreError.sqlite { () throws(SQLiteError) in
      try DatabaseCopy(of: self.path, to: path)
    }
    let check = soundness(besides: indexes)
    guard try check.run(noting: nil, willRead: copy.advance(through:), isStopped: isStopped) else {
      return false
    }
    try StoreError.sqlite { () throws(SQLiteError) in try copy.finish(isStopped: isStopped) }
    return true
  }
}
