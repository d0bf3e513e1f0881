package import BulkStore

extension Planner {
  /// The source as the plan records it; the whole file is read for the digest of its state, and its trees
  /// are walked while the rows are counted.
  func source(
    counting counter: SourcePartCounter?
  ) throws(PlanError) -> MigrationPlan.SourceInput {
    let (identity, reading) = try PlanError.reading(store.path, try identified(counting: counter))
    return source(identity, reading)
  }

  var unreadSource: MigrationPlan.SourceInput { source(.unread, nil) }

  private func source(
    _ identity: StoreIdentity,
    _ reading: StoreReading?
  ) -> MigrationPlan.SourceInput {
    MigrationPlan.SourceInput(
      store: store.path,
      bytes: store.size,
      identity: identity.text,
      reading: reading,
      salvage: store.metadata.salvage,
      frameworkVersion: store.metadata.frameworkVersion,
      model: steps.files[0].source.input
    )
  }

  private func identified(
    counting counter: SourcePartCounter?
  ) throws(StoreError) -> (StoreIdentity, StoreReading?) {
    try store.identification.runOnce { willRead throws(StoreError) in
      var progress = PlanningProgress(.reading)
      progress.bytesTotal = store.size
      request.report(progress)
      try store.refuseSharedPages(
        willRead: { offset in
          willRead(offset)
          // Pages come nearly in the order of the file.
          guard offset >= progress.bytesDone + Self.bytesBetweenReports else { return }
          progress.bytesDone = offset
          request.report(progress)
        },
        didRead: { table, key in counter?.advance(table, through: key) }
      )
      counter?.finish()
    }
  }

  private static let bytesBetweenReports: Int64 = 1 << 20
}

extension PersistentStore {
  package static func planned(
    at path: String,
    copy: SourceCopy? = nil
  ) throws(PlanError) -> PersistentStore {
    try PlanError.reading(
      path,
      try PersistentStore(path: FilePath.absolute(path), copy: copy)
    )
  }
}
