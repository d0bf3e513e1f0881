internal import BulkVersions
internal import BulkCoding

extension MigrationPlan {
  /// The steps of the migration in their order; without a route the plan itself is the only one.
  public var steps: [MigrationRoute.Step] {
    if let route { return route.steps }
    return [
      MigrationRoute.Step(
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

  /// The total of rows to write, approximate with a route.
  public var rowsOfAllLegs: Int64 { route?.rows ?? rows }

  /// Whether there may be fewer rows than that, because filters exclude some.
  public var isUpperBound: Bool { steps.contains { $0.isUpperBound == true } }

  /// A contradiction in the route, if any.
  var routeContradiction: String? {
    guard let steps = route?.steps else { return nil }
    guard (2...MigrationRoute.limit).contains(steps.count) else {
      return "its route has \(steps.count) steps"
    }
    let legs = route?.legs.map(\.steps) ?? []
    guard legs.allSatisfy({ (1...steps.count).contains($0) }), legs.reduce(0, +) == steps.count,
      legs.count > 1
    else { return "the legs of its route do not have its steps" }
    let begins = steps.first?.source == source.model && steps.first?.mapping == mapping
    guard begins, steps.last?.destination == destination.model else {
      return "its route does not lead from its source to its destination"
    }
    guard zip(steps, steps.dropFirst()).allSatisfy({ $0.destination.digest == $1.source.digest })
    else {
      return "a step of its route begins with another version than the one before it leads to"
    }
    return nil
  }
}
