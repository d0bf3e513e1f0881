internal import BulkAssociation
internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// Writes a checkpoint for every transaction, just before it is committed.
///
/// After an interruption the checkpoint counts whose number is that of the scratch store's last
/// transaction; a checkpoint without its transaction is ignored.
final class CheckpointRecorder {
  var entry: WorkList.Entry?

  private let run: (plan: String, batchRows: Int64, isCopied: Bool)
  private let state: StateDirectory
  private let states: [any StageState]
  private let associations: AssociationTables
  private let violations: ViolationReport
  private let source: SourceReading
  private let measures: MeasureRecorder?
  private var published: (number: Int64, rows: Int64)?

  init(
    _ run: StoreRun,
    in state: StateDirectory,
    _ states: [any StageState],
    _ source: SourceReading
  ) {
    self.run = (
      run.migration.plan.fingerprint, run.session.transactions.batchRows, run.changes != nil
    )
    measures = run.migration.measures
    (self.state, self.states, self.source) = (state, states, source)
    (associations, violations) = (run.associations, run.violations)
  }

  /// Ends the run after the transaction in which it was requested to stop.
  func follow(_ run: StoreRun) {
    let (migration, transactions) = (run.migration, run.session.transactions)
    let (rowsBefore, counted) = (run.rowsBefore, run.sink.counted)
    transactions.willCommit = { [self] number throws(StoreError) in
      try record(number, rows: rowsBefore + counted.rows)
    }
    transactions.mustStop = { migration.stopRequest() != nil }
    transactions.didSynchronize = { Failpoint.step(.commitSynced) }
    transactions.didCommit = {
      Failpoint.step(.committed)
      migration.headway?.make()
      self.reportPublished(to: migration)
    }
  }

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
  private func record(_ transaction: Int64, rows: Int64) throws(StoreError) {
    do {
      var checkpoint = Checkpoint(
        plan: run.plan,
        attempt: state.attempt,
        transaction: transaction,
        rows: rows
      )
      checkpoint.batchRows = run.batchRows
      checkpoint.isCopied = run.isCopied
      checkpoint.isJudging = entry?.followsRows ?? false
      for stage in states { stage.save(to: &checkpoint) }
      checkpoint.sourceReading = source.reading
      checkpoint.associations = try associations.saved()
      Failpoint.step(.segmentsSaved)
      measures?.note(checkpoint.associations)
      checkpoint.measures = measures?.record
      (checkpoint.violationBytes, checkpoint.violationDigest) = try violations.synchronize()
      Failpoint.step(.violationsSaved)
      Failpoint.reached(.checkpoint, transaction)
      published = (try state.checkpoints.publish(checkpoint), rows)
      Failpoint.reached(.commit, transaction)
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
  fileprivate func note(_ associations: [Checkpoint.Associations]) {
    let segments = associations.flatMap(\.segments)
    note(segments: Int64(segments.count), bytes: segments.reduce(0) { $0 + Int64($1.length) })
  }
}
