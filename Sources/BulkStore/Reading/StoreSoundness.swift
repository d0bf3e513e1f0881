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

  func run(noting census: KeyCensus?, isStopped: () -> Bool) throws(StoreError) -> Bool {
    do throws(SQLiteError) {
      return try check.isSound(noting: census, isStopped: isStopped)
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
}
