import BulkVersions

extension ProgressSnapshot {
  /// The progress of a task that is no migration.
  ///
  /// - Parameters:
  ///   - task: What is done.
  ///   - done: How much of it is done.
  ///   - total: How much there is to do; 0 where that is not known.
  ///   - unit: What is counted.
  init(_ task: String, _ done: Int64, of total: Int64, _ unit: Unit) {
    self.init(pass: 1, passCount: 1, stage: "", rowsDone: done, rowsTotal: total)
    self.task = task
    self.unit = unit
  }

  /// The progress of planning.
  init(_ progress: PlanningProgress) {
    let task =
      switch progress.stage {
      case .reading: "reading the store"
      case .pages: "walking through its pages"
      case .counting: "counting rows"
      case .losses: "counting losses"
      case .values: "looking for large values"
      }
    self.init(task, progress.bytesDone, of: progress.bytesTotal, .bytes)
  }
}
