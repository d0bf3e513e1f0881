internal import BulkStore

struct ScratchStoreWriter {
  let migration: Migration
  let check: PlanCheck
  let budget: MemoryBudget
  let state: StateDirectory

  func write(after checkpoint: Checkpoint?) throws -> Checkpoint {
    try translated { try walk(after: checkpoint).write(state.attempt) }
  }

  func rehearse() throws -> Rehearsed { try translated { try walk(after: nil).rehearse() } }

  private func walk(after checkpoint: Checkpoint?) throws -> WorkWalk {
    try WorkWalk(migration, check, state: state, budget: budget, after: checkpoint)
  }

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
    return (try? source.isSound { migration.mustStop }) ?? false
  }
}
