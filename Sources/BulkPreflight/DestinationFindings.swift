internal import BulkExecute

/// Reports obstacles to making the destination.
enum DestinationFindings {
  /// The finding, if there is an obstacle.
  static func findings(_ path: String) -> [PreflightFinding] {
    guard let obstacle = DestinationObstacle(path) else { return [] }
    return [
      PreflightFinding(
        .destination,
        of: obstacle.path,
        rule: obstacle.reason,
        count: 1,
        outcome: .stops
      )
    ]
  }
}
