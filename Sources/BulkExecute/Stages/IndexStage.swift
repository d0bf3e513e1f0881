internal import BulkStore

/// Makes indexes over rows that are all there.
final class IndexStage: StageState {
  private let run: StoreRun
  private let validation: ValidationStage
  private let leavesOutDuplicates: Bool
  /// The unique indexes that objects violate; they are not made, or not as unique ones.
  private(set) var conflicts: [SchemaIndex] = []
  /// The names of those that an interrupted run found.
  private let known: Set<String>

  init(
    _ run: StoreRun,
    _ validation: ValidationStage,
    leavesOutDuplicates: Bool,
    after checkpoint: Checkpoint?
  ) {
    (self.run, self.validation) = (run, validation)
    self.leavesOutDuplicates = leavesOutDuplicates
    known = Set(checkpoint?.conflicts ?? [])
  }

  func save(to checkpoint: inout Checkpoint) { checkpoint.conflicts = conflicts.map(\.name) }

  /// Makes an index, unless objects violate it.
  ///
  /// Where duplicates are left out, a unique index is made with them first: it shows them in its order, and once they
  /// are taken out it is unique.
  func make(_ index: SchemaIndex) throws {
    if try !isMade(index) { conflicts.append(index) }
    try run.report(.indexes)
  }

  private func isMade(_ index: SchemaIndex) throws -> Bool {
    let isKnown = known.contains(index.name)
    guard showsDuplicates(index) else {
      return try run.sink.make(index, isKnownToConflict: isKnown)
    }
    _ = try run.sink.make(index.withRepeats, isKnownToConflict: false)
    let isReplaying = run.session.transactions.isReplaying
    if try isReplaying ? isKnown : validation.rules.hasDuplicates(in: index) { return false }
    try run.session.makeUnique(index)
    return true
  }

  /// Makes the indexes that objects violated that are left out now.
  func makeOthers() throws {
    for index in conflicts {
      if showsDuplicates(index) {
        try run.session.makeUnique(index)
      } else {
        _ = try run.sink.make(index, isKnownToConflict: false)
      }
    }
  }

  private func showsDuplicates(_ index: SchemaIndex) -> Bool {
    leavesOutDuplicates && index.isUnique && index.condition == nil
  }
}
