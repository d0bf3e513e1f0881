/// A stage whose state a resumed run needs.
protocol StageState {
  /// Saves the state after the transaction that is about to be committed.
  func save(to checkpoint: inout Checkpoint)
}
