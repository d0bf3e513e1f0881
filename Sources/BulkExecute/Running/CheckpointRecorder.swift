internal import BulkAssociation
internal import BulkStore

/// Writes a checkpoint for every transaction, just before it is committed.
///
/// After an interruption the checkpoint counts whose number is that of the scratch store's last
/// transaction; a checkpoint without its transaction is ignored.
final class CheckpointRecorder {
  /// Whether all rows are written, and objects may be judged from now on.
  var isJudging = false
  /// The unique indexes that rows violate.
  var conflicts: [String] = []
  /// The relationships that are set.
  var linked: [Int64] = []
  /// The source objects that no mapping took, once they are counted.
  var untaken: [String: Int64]?
  /// The objects that were left out.
  var rejected: Checkpoint.Rejected?

  private let plan: String
  private let batchRows: Int64
  private let isCopied: Bool
  private let state: StateDirectory
  private let associations: AssociationTables
  private let violations: ViolationReport
  private let tallies: RowTallies
  private let source: SourceReading
  private let uses: PassUses
  private var measures: MeasureRecorder?
  /// The checkpoint whose transaction is not committed yet.
  private var published: (number: Int64, rows: Int64)?

  init(
    plan: String,
    batchRows: Int64,
    isCopied: Bool,
    in state: StateDirectory,
    associations: AssociationTables,
    violations: ViolationReport,
    tallies: RowTallies,
    source: SourceReading,
    uses: PassUses
  ) {
    self.uses = uses
    self.tallies = tallies
    self.source = source
    self.plan = plan
    self.batchRows = batchRows
    self.isCopied = isCopied
    self.state = state
    self.associations = associations
    self.violations = violations
  }

  /// Writes a checkpoint for every transaction of a run, and ends the run after the transaction in which it
  /// was requested to stop.
  func follow(_ run: StoreRun, _ stage: InstanceStages) {
    let (migration, transactions) = (run.migration, run.session.transactions)
    let (rowsBefore, counted) = (run.rowsBefore, run.sink.counted)
    measures = migration.measures
    transactions.willCommit = { [self] number throws(StoreError) in
      try record(number, rows: rowsBefore + counted.rows, stage)
    }
    transactions.mustStop = { migration.stopRequest() != nil }
    transactions.didSynchronize = { Failpoint.step() }
    transactions.didCommit = {
      Failpoint.step()
      migration.headway?.make()
      self.reportPublished(to: migration)
    }
  }

  /// Reports the checkpoint whose transaction is committed now.
  private func reportPublished(to migration: Migration) {
    if let published { migration.checkpointWritten(published.number, published.rows) }
    published = nil
  }

  /// Releases a run, whose session would stay open otherwise.
  func release(_ run: StoreRun) {
    run.session.transactions.willCommit = nil
    run.session.transactions.didCommit = {}
    run.session.transactions.mustStop = nil
  }

  /// Makes everything durable that belongs to a transaction, and publishes its checkpoint.
  private func record(
    _ transaction: Int64,
    rows: Int64,
    _ stage: InstanceStages
  ) throws(StoreError) {
    do {
      var checkpoint = Checkpoint(
        plan: plan,
        attempt: state.attempt,
        transaction: transaction,
        rows: rows
      )
      checkpoint.batchRows = batchRows
      checkpoint.isCopied = isCopied
      checkpoint.isJudging = isJudging
      checkpoint.conflicts = conflicts
      checkpoint.tallies = tallies.all
      checkpoint.linked = linked
      checkpoint.untaken = untaken
      checkpoint.rejected = rejected
      checkpoint.passes = uses.all
      checkpoint.sourceReading = source.reading
      checkpoint.associations = try associations.saved()
      Failpoint.step()
      measures?.note(checkpoint.associations)
      checkpoint.measures = measures?.record
      (checkpoint.violationBytes, checkpoint.violationDigest) = try violations.synchronize()
      Failpoint.step()
      stage.save(to: &checkpoint)
      Failpoint.reached("checkpoint", transaction)
      published = (try state.checkpoints.publish(checkpoint), rows)
      Failpoint.reached("commit", transaction)
    } catch {
      let fault = FileError(error)
      throw .checkpoint(
        path: fault?.path ?? state.path,
        reason: fault?.reason ?? "\(error)",
        isDiskFull: fault?.isDiskFull ?? false
      )
    }
  }
}

extension MeasureRecorder {
  /// Notes the segments of association tables.
  fileprivate func note(_ associations: [Checkpoint.Associations]) {
    let segments = associations.flatMap(\.segments)
    note(segments: Int64(segments.count), bytes: segments.reduce(0) { $0 + Int64($1.length) })
  }
}
