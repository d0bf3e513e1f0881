/// Changes a store itself, in one transaction.
///
/// No other process has the store open until it ends. If the process ends before the commit, SQLite
/// restores the store when it is opened the next time.
package final class StoreAlteration {
  package let session: StoreSession

  /// Locks a store without a log; `nil` if it has changed since it was opened.
  ///
  /// See ``StoreSession/init(inPlace:caches:)`` for the restrictions on its file.
  ///
  /// - Throws: ``StoreError`` with the cause ``StoreError/Cause/busy`` if another process has it open.
  package init?(_ store: PersistentStore, caches: StoreSession.CacheSizes) throws(StoreError) {
    guard store.isSettled else { return nil }
    session = try StoreSession(inPlace: store.path, caches: caches)
    guard store.hasSameAttributes else { return nil }
  }

  /// The name of the table that keeps a store from being changed in its place, because values need more than its
  /// own rows;
  /// `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` if the store, which the session reads as `source`, cannot be read.
  package static func obstacle(
    to changes: StoreChanges,
    _ session: StoreSession
  ) throws(StoreError) -> String? {
    for table in changes.tables {
      if !table.followsFromRows { return table.source }
      if let sql = table.strayRowSQL, try session.value(sql) != nil { return table.source }
    }
    return nil
  }

  /// Sets values of a table that follow from its own rows, within a batch of the session.
  package func update(_ change: TableChange) throws(StoreError) {
    if let sql = change.ownUpdateSQL { try session.transactions.execute(sql) }
  }

  /// Changes the rows of the history and of CloudKit's tables, within a batch of the session.
  package func change(_ ancillary: [AncillaryChange]) throws(StoreError) {
    for change in ancillary {
      for update in try change.updates(session).joined() { try update.run(.min ... .max) }
    }
  }
}
