internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Counts source objects that no mapping took, where all mappings have filters and some are evaluated.
///
/// The key of each made object shows the object that it was made from.
final class UntakenStage: StageState {
  private let work: MigrationWork
  private let lookup: RowLookup
  /// By entity; `nil` before they are counted.
  private(set) var counts: [String: Int64]?

  init(_ run: StoreRun, after checkpoint: Checkpoint?) {
    (work, lookup, counts) = (run.work, RowLookup(run.session), checkpoint?.untaken)
  }

  func save(to checkpoint: inout Checkpoint) { checkpoint.untaken = counts }

  /// Unless an interrupted run has done so.
  func count() throws(StoreError) {
    if counts == nil { counts = try counted() }
  }

  private func counted() throws(StoreError) -> [String: Int64] {
    var result: [String: Int64] = [:]
    let bySource = Dictionary(grouping: work.instances.creations, by: \.mapping.source.name)
    for (entity, all) in bySource where all.count > 1 && all.contains(where: { $0.filter != nil }) {
      guard
        all.allSatisfy({ $0.mapping.mapping.filter != nil && !$0.mapping.isListed })
      else { continue }
      let mapping = all[0].mapping
      let made = all.map { $0.mapping.made(from: .column("Z_PK")) }
      result[entity] = try lookup.count(
        in: mapping.sourceTable,
        where: [.entityIn([mapping.sourceNumber]), .none(made)]
      )
    }
    return result
  }
}
