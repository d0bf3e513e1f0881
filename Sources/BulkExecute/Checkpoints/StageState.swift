/// A stage whose state a resumed run needs.
protocol StageState {
  /// Saves the state after the transaction that is about to be committed.
  func save(to checkpoint: inout Checkpoint)
}

extension RowTallies: StageState {
  func save(to checkpoint: inout Checkpoint) { checkpoint.tallies = all }
}

extension PassUses: StageState {
  func save(to checkpoint: inout Checkpoint) {
    note(rows: checkpoint.rows, memory: nil)
    checkpoint.passes = all
  }
}
