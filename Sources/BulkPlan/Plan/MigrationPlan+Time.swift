extension MigrationPlan {
  /// The estimated time of the longest indivisible part, in seconds: a table that moves whole, an index, or
  /// the links of a relationship.
  public var longestStepSeconds: Double {
    guard let route else { return passes.map(\.longestStepSeconds).max() ?? 0 }
    // For intermediate stores only the sum of all tables is known.
    let later = route.ranges.dropFirst().map { route.steps[$0.upperBound - 1] }
    return (passes.map(\.longestStepSeconds) + later.map(\.estimatedSeconds)).max() ?? 0
  }

  /// The estimated time of the whole migration, in seconds.
  public var estimatedSeconds: Double {
    route?.estimatedSeconds ?? CostModel.sum(passes.map(\.estimatedSeconds))
  }
}

extension MigrationPlan.Pass {
  /// The largest table's share of the pass's time.
  fileprivate var longestStepSeconds: Double {
    guard rows > 0 else { return 0 }
    let rowsOfEntities = entities.map(\.rows)
    // All join tables count as one.
    let rowsOfPairs = max(rows - rowsOfEntities.reduce(0, +), 0)
    let largest = max(rowsOfEntities.max() ?? 0, rowsOfPairs)
    return estimatedSeconds * min(Double(largest) / Double(rows), 1)
  }
}
