public import BulkSupport

extension MigrationPlan {
  /// One step: from one version of the model to another.
  public struct Step: Codable, Hashable, Sendable {
    /// The version before the step.
    public var source: ModelInput
    /// The version after the step.
    public var destination: ModelInput
    /// The origin of the mapping between the two; without a path everything is inferred.
    public var mapping: MappingInput
    /// The changes to entities, with no rows, which are counted when the source of the step exists; absent for the steps
    /// of the first leg, whose passes have them.
    public var entities: [EntityChange]?
  }

  /// Consecutive steps done as one: the store is read once, and the versions between them are not made.
  public struct Leg: Codable, Hashable, Sendable {
    /// The number of the steps, at least one.
    public var steps: Int
    /// Why the leg does not join the one before it, a sentence each; none for the first.
    public var boundary: [String]
  }

  /// Whether it takes several legs, each of which makes a store.
  public var hasSeveralLegs: Bool { legs.count > 1 }

  /// The ranges of the legs' steps in ``steps``.
  public var ranges: [Range<Int>] {
    var end = 0
    return legs.map { leg in
      let start = end
      end += leg.steps
      return start..<end
    }
  }

  /// The maximum number of steps; no application has a hundredth as many versions.
  private static let stepLimit = 4096

  /// The total of rows to write; later legs are taken to write as many as the first.
  public var rowsOfAllLegs: Int64 { rows * Int64(legs.count) }

  /// The estimated bytes to write, of all legs.
  public var sizeOfAllLegs: ByteCount { ByteCount(bytes: estimatedSize.bytes * Int64(legs.count)) }

  /// A sentence part on the losses that the plan does not have: those of the legs after the first; `nil` without any.
  package var uncountedLosses: String? {
    switch legs.count {
    case ...1: nil
    case 2: "what leg 2 loses is counted when its source exists"
    case 3: "what legs 2 and 3 lose is counted when their sources exist"
    default: "what legs 2 to \(legs.count) lose is counted when their sources exist"
    }
  }

  /// The origins of the mappings of all steps.
  public var mappings: [MappingInput] { steps.map(\.mapping) }

  /// The value of `now()` for all steps; `nil` where none asks for it.
  package var now: Double? { steps.lazy.compactMap(\.mapping.now).first }

  /// A suffix for rows that counts those of several legs; empty where they are those of the destination.
  package var legsPhrase: String { hasSeveralLegs ? " in \(legs.count) legs" : "" }

  /// Whether there may be fewer rows than that, because filters exclude some.
  public var isUpperBound: Bool { passes.contains { $0.isUpperBound == true } }

  var stepContradiction: String? {
    guard (1...Self.stepLimit).contains(steps.count) else { return "it has \(steps.count) steps" }
    guard legs.allSatisfy({ (1...steps.count).contains($0.steps) }),
      legs.reduce(0, { $0 + $1.steps }) == steps.count
    else { return "its legs do not have its steps" }
    guard steps.first?.source == source.model, steps.last?.destination == destination.model else {
      return "its steps do not lead from its source to its destination"
    }
    guard zip(steps, steps.dropFirst()).allSatisfy({ $0.destination.digest == $1.source.digest })
    else { return "a step begins with another version than the one before it leads to" }
    return nil
  }
}
