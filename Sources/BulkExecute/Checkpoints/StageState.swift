/// A stage whose state a resumed run needs.
protocol StageState {
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
