internal import BulkStore

/// Makes indexes over rows that are all there.
final class IndexStage: StageState {
  private let run: StoreRun
  /// The unique indexes that objects violate; they are not made.
  private(set) var conflicts: [SchemaIndex] = []
  private let known: Set<String>

  init(_ run: StoreRun, after checkpoint: Checkpoint?) {
    self.run = run
    known = Set(checkpoint?.conflicts ?? [])
  }

  func save(to checkpoint: inout Checkpoint) { checkpoint.conflicts = conflicts.map(\.name) }

  func make(_ index: SchemaIndex) throws {
    let isKnown = known.contains(index.name)
    if try !run.sink.make(index, isKnownToConflict: isKnown) { conflicts.append(index) }
    try run.report(.indexes)
  }

  /// Makes the indexes that objects violated that are left out now.
  func makeOthers() throws {
    for index in conflicts { _ = try run.sink.make(index, isKnownToConflict: false) }
  }
}
