internal import BulkPlan
internal import BulkStore

struct ScratchStoreWriter {
  struct Written {
    /// The rows of objects and of many-to-many pairs.
    var rows: Int64
    /// The number of the last transaction.
    var transactions: Int64
    /// Whether the store began as a copy of the source.
    var isCopied: Bool
    /// The losses of the store.
    var losses: [MigrationPlan.Loss]
    /// The objects that were left out; `nil` if there are none.
    var rejected: Checkpoint.Rejected?
    /// The bytes of the report that names them, which is synced, and their digest.
    var report: (bytes: Int64, digest: String?)
    /// The fates of source rows, by entity mapping or destination table.
    var tallies: [String: RowTally]
    /// The measures of the passes; none where a copy was changed.
    var passes: [PassUse]
  }

  let migration: Migration
  let check: PlanCheck
  let budget: MemoryBudget
  let state: StateDirectory

  /// Writes everything after a checkpoint.
  func write(after checkpoint: Checkpoint?) throws -> Written {
    try translated { try walk(after: checkpoint).write() }
  }

  /// Writes the rows that decide which objects are left out.
  func rehearse() throws -> Rehearsed { try translated { try walk(after: nil).rehearse() } }

  private func walk(after checkpoint: Checkpoint?) throws -> WorkWalk {
    try WorkWalk(
      migration,
      check.work,
      state: state,
      budget: budget,
      reading: check.reading,
      after: checkpoint
    )
  }

  /// Translates errors of lower layers into those of a migration.
  ///
  /// Rows read during a concurrent write may look corrupt, so a change of the source takes precedence.
  private func translated<T>(_ body: () throws -> T) throws(MigrationError) -> T {
    let source = check.store
    do {
      return try body()
    } catch let error as StoreError {
      let found = MigrationError(error, source: source.path, scratch: state.scratchStore)
      if case .diskFull = found { throw found }
      if case .cancelled = found { throw found }
      guard !source.hasChanged else { throw .changedSource(source.path) }
      throw isSound(source, found)
        ? .contradictoryStore(["\(error)"], destination: state.scratchStore) : found
    } catch let error as MigrationError {
      guard case .wrongRowCount = error, source.hasChanged else { throw error }
      throw .changedSource(source.path)
    } catch {
      throw .failure(error, at: state.scratchStore)
    }
  }

  /// Whether corruption that seems to be the source's is not there.
  private func isSound(_ source: PersistentStore, _ found: MigrationError) -> Bool {
    guard case .damagedSource = found else { return false }
    return (try? source.soundness(besides: []).run { migration.mustStop }) ?? false
  }
}
