extension MigrationPlan {
  /// The time of the longest part that cannot be divided, in seconds, estimated: a table that moves whole,
  /// an index, or all that becomes of a relationship.
  public var longestStepSeconds: Double {
    guard let route else { return passes.map(\.longestStepSeconds).max() ?? 0 }
    // Of the stores on the way only the sum of all tables is known.
    let later = route.ranges.dropFirst().map { route.steps[$0.upperBound - 1] }
    return (passes.map(\.longestStepSeconds) + later.map(\.estimatedSeconds)).max() ?? 0
  }

  /// The time of the whole migration, in seconds, estimated.
  public var estimatedSeconds: Double {
    route?.estimatedSeconds ?? CostModel.sum(passes.map(\.estimatedSeconds))
  }
}

extension MigrationPlan.Pass {
  /// The share that the largest table of the pass has in its time.
  fileprivate var longestStepSeconds: Double {
    guard rows > 0 else { return 0 }
    let rowsOfEntities = entities.map(\.rows)
    // Those of all join tables count as those of one.
    let rowsOfPairs = max(rows - rowsOfEntities.reduce(0, +), 0)
    let largest = max(rowsOfEntities.max() ?? 0, rowsOfPairs)
    return estimatedSeconds * min(Double(largest) / Double(rows), 1)
  }
}
