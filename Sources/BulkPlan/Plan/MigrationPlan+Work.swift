package import BulkLowering

extension MigrationPlan {
  /// The list of the work by which a new file becomes the destination.
  package func list(filling work: StepWork) -> WorkList {
    WorkList(filling: work, in: passes.map(\.entities.contents))
  }
}

extension [MigrationPlan.EntityChange] {
  /// The part of the work that a pass with these changes does.
  var contents: PassContents {
    PassContents(
      // A removed entity may have the name of an existing one.
      entities: filter { $0.change != .removed }.map(\.entity),
      mappings: compactMap(\.mapping)
    )
  }
}
