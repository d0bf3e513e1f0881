internal import BulkLowering
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Sets the relationships that depend on all assignments to them.
///
/// The checkpoint records what an interrupted run has set.
struct RelationshipStage {
  private let run: StoreRun
  private let associations: AssociationTables
  private let violations: ViolationReport
  private let recorder: CheckpointRecorder?
  /// The transaction that wrote the last link of each relationship, also of those that an interrupted run has set.
  private var linked: [Int64] = []
  private let linkedBefore: [Int64]

  init(
    _ run: StoreRun,
    _ associations: AssociationTables,
    violations: ViolationReport,
    _ recorder: CheckpointRecorder?,
    after checkpoint: Checkpoint?
  ) {
    self.run = run
    (self.associations, self.violations) = (associations, violations)
    self.recorder = recorder
    linkedBefore = checkpoint?.linked ?? []
  }

  /// Sets relationships of all objects.
  ///
  /// - Throws: ``StoreError`` if rows cannot be read or written.
  mutating func set(_ relationships: [LinkedRelationship], pass: Int) throws {
    let run = run
    let stage = LinkStage(run, associations: associations, violations: violations) {
      try run.report(.rows, pass: pass)
    }
    for relationship in relationships {
      let transactions = run.session.transactions
      if linked.count < linkedBefore.count {
        transactions.replay(through: linkedBefore[linked.count])
      } else {
        try stage.set(relationship)
      }
      linked.append(
        linked.count < linkedBefore.count ? linkedBefore[linked.count] : transactions.count
      )
      recorder?.linked = linked
    }
  }
}
