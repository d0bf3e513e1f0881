package import BulkPlan
package import BulkStore

extension MigrationPlan {
  /// Parts of the source that the plan's work does not read and no loss counts, a sentence each.
  ///
  /// Several legs have none: the later ones read stores that are gone.
  package func unaccounted(copy: SourceCopy?) throws -> [String] {
    guard !hasSeveralLegs else { return [] }
    let store = try PersistentStore(path: source.store, copy: copy)
    let work = try work(on: store)
    return try Ledger.unaccounted(by: losses, in: work, LossTrace(of: work), recounts: true)
  }
}
