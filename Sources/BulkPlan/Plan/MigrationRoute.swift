public import BulkCoding
public import BulkVersions

/// The route of a store over several versions of its model: steps in sequence, each a separate planned
/// migration.
///
/// Plans of a single step have no route.
public struct MigrationRoute: Codable, Hashable, Sendable {
  /// One step: from one version of the model to another.
  public struct Step: Codable, Hashable, Sendable {
    /// The version before the step.
    public var source: MigrationPlan.ModelInput
    /// The version after the step.
    public var destination: MigrationPlan.ModelInput
    /// The origin of the mapping between the two; without a path everything is inferred.
    public var mapping: MigrationPlan.MappingInput
    /// The rows to write: counted for the first step, approximate for later ones, whose sources do not exist
    /// yet.
    public var rows: Int64
    /// The estimated bytes to write.
    public var estimatedBytes: Int64
    /// The estimated time of the step in seconds, from rows and bytes.
    public var estimatedSeconds: Double
    /// True where filters may exclude some of the rows; absent where none is known to.
    public var isUpperBound: Bool?
    /// The changes to entities; absent for the steps of the first leg, whose passes have them.
    public var entities: [MigrationPlan.EntityChange]?
  }

  /// Consecutive steps done as one: the store is read once, and the versions between them are not made.
  public struct Leg: Codable, Hashable, Sendable {
    /// The number of the steps, at least one.
    public var steps: Int
    /// Why the leg does not join the one before it, a sentence each; none for the first.
    public var boundary: [String]
  }

  /// The steps in their order; at least two, each from the version after the previous one.
  public var steps: [Step]
  /// The legs, in their order; together they have all steps.
  public var legs: [Leg]

  /// The ranges of the legs' steps in ``steps``.
  public var ranges: [Range<Int>] {
    var end = 0
    return legs.map { leg in
      let start = end
      end += leg.steps
      return start..<end
    }
  }

  /// The maximum number of steps of a route; no application has a hundredth as many versions.
  static let limit = 4096

  /// The last step of every leg, the one that writes.
  private var writing: [Step] { ranges.map { steps[$0.upperBound - 1] } }

  /// The rows to write, by leg.
  public var rowsByLeg: [Int64] { writing.map(\.rows) }

  /// The rows to write in all legs.
  public var rows: Int64 { rowsByLeg.reduce(0, +) }

  /// The estimated bytes to write in all legs.
  public var estimatedSize: ByteCount {
    ByteCount(bytes: writing.reduce(0) { $0 + $1.estimatedBytes })
  }

  /// The estimated time of all legs, in seconds.
  public var estimatedSeconds: Double { CostModel.sum(writing.map(\.estimatedSeconds)) }
}

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

  /// A suffix for rows that counts those of several legs; empty where they are those of the destination.
  package var legsPhrase: String {
    let legs = route?.rowsByLeg.count ?? 1
    return legs > 1 ? " in \(legs) legs" : ""
  }

  /// Whether there may be fewer rows than that, because filters exclude some.
  public var isUpperBound: Bool { steps.contains { $0.isUpperBound == true } }

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
