internal import BulkVersions
internal import BulkCoding

extension MigrationPlan {
  /// The steps of the migration in their order; the plan itself is the only one where it has no route.
  public var hops: [MigrationRoute.Hop] {
    if let route { return route.hops }
    return [
      MigrationRoute.Hop(
        source: source.model,
        destination: destination.model,
        mapping: mapping,
        rows: rows,
        estimatedBytes: estimatedSize.bytes,
        estimatedSeconds: CostModel.sum(passes.map(\.estimatedSeconds)),
        isUpperBound: passes.contains { $0.isUpperBound == true } ? true : nil
      )
    ]
  }

  /// The rows that are written in all, about right where there is a route.
  public var rowsOfAllLegs: Int64 { route?.rows ?? rows }

  /// Whether there may be fewer rows than that, as filters leave some out.
  public var isUpperBound: Bool { hops.contains { $0.isUpperBound == true } }

  /// What contradicts itself in the route, if something does.
  var routeContradiction: String? {
    guard let hops = route?.hops else { return nil }
    guard (2...MigrationRoute.limit).contains(hops.count) else {
      return "its route has \(hops.count) steps"
    }
    let legs = route?.legs.map(\.steps) ?? []
    guard legs.allSatisfy({ (1...hops.count).contains($0) }), legs.reduce(0, +) == hops.count,
      legs.count > 1
    else { return "the legs of its route do not have its steps" }
    let begins = hops.first?.source == source.model && hops.first?.mapping == mapping
    guard begins, hops.last?.destination == destination.model else {
      return "its route does not lead from its source to its destination"
    }
    guard zip(hops, hops.dropFirst()).allSatisfy({ $0.destination.digest == $1.source.digest })
    else {
      return "a step of its route begins with another version than the one before it leads to"
    }
    return nil
  }
}
