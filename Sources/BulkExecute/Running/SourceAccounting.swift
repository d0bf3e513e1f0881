package import BulkPlan
package import BulkStore

extension MigrationPlan {
  /// Parts of the source that the plan's work does not read and no loss counts, a sentence each.
  ///
  /// A route has none: its later legs read stores that are gone.
  ///
  /// - Throws: ``MigrationError`` if the models have changed, and ``StoreError`` if the source cannot be read.
  package func unaccounted(copy: SourceCopy?) throws -> [String] {
    guard route == nil else { return [] }
    let store = try PersistentStore(path: source.store, copy: copy)
    let work = try PlannedModels(of: self, sharing: nil).work(of: self, on: store)
    return try Ledger.unaccounted(by: losses, in: work, LossTrace(of: work), recounts: true)
  }
}
