extension MigrationPlan {
  /// The plan of one step, for a store that the step before it has made.
  package func plan(
    ofStep index: Int,
    source: String,
    destination: String
  ) throws(PlanError) -> MigrationPlan {
    try plan(
      ofSteps: index..<index + 1,
      of: PersistentStore.planned(at: source),
      destination: destination,
      by: steps(index..<index + 1)
    )
  }
}

extension Planner {
  /// The plan of the steps over some models, each by a mapping file or inferred, even between equal versions.
  package static func plan(
    over models: [String],
    by mappings: [String?] = [],
    from source: String,
    to destination: String,
    _ strategy: StoreStrategy.Kind? = nil
  ) throws(PlanError) -> MigrationPlan {
    let models = try models.map { path throws(PlanError) in try ModelLocator.model(named: path) }
    var files: [StepFiles] = []
    for (index, ends) in zip(models, models.dropFirst()).enumerated() {
      let path = mappings.indices.contains(index) ? mappings[index] : nil
      let file = try path.map { path throws(PlanError) in try MappingFile.planned(path) }
      files.append(StepFiles(source: ends.0, destination: ends.1, file: file))
    }
    var request = PlanRequest()
    request.strategy = strategy
    request.rebuilds = true
    let store = try PersistentStore.planned(at: source)
    return try Planner(store, SharedSteps(files), into: destination, now: 0, request).plan()
  }
}
