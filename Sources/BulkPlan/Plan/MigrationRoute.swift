public import BulkCoding

/// The way of a store over several versions of its model: steps that are carried out one after another,
/// each a planned migration of its own.
///
/// Plans of a single step have no route.
public struct MigrationRoute: Codable, Hashable, Sendable {
  /// One step: from one version of the model to another.
  public struct Step: Codable, Hashable, Sendable {
    /// The version that the step begins with.
    public var source: MigrationPlan.ModelInput
    /// The version that it leads to.
    public var destination: MigrationPlan.ModelInput
    /// Where the mapping between the two comes from; without a path everything is inferred.
    public var mapping: MigrationPlan.MappingInput
    /// The rows to write: counted for the first step, and about right for later ones, whose stores
    /// are not made yet.
    public var rows: Int64
    /// The bytes to write, estimated.
    public var estimatedBytes: Int64
    /// The time that the step takes, in seconds, estimated from rows and bytes.
    public var estimatedSeconds: Double
    /// True where filters may leave out some of the rows; absent where none is known to.
    public var isUpperBound: Bool?
    /// What becomes of the entities; absent for the steps of the first leg, whose passes say it.
    public var entities: [MigrationPlan.EntityChange]?
  }

  /// Steps that follow one another and are done as one: the store is read once, and of the versions
  /// between them none is made.
  public struct Leg: Codable, Hashable, Sendable {
    /// The number of the steps, at least one.
    public var steps: Int
    /// Why the leg is not done as one with that before it, a sentence each; none for the first.
    public var boundary: [String]
  }

  /// The steps in their order; at least two, each beginning with the version that the one before it
  /// leads to.
  public var steps: [Step]
  /// How the steps are done, in their order; together the legs have all steps.
  public var legs: [Leg]

  /// Where each leg's steps are in ``steps``.
  public var ranges: [Range<Int>] {
    var end = 0
    return legs.map { leg in
      let start = end
      end += leg.steps
      return start..<end
    }
  }

  /// The most steps that a route may have; no application has a hundredth as many versions.
  static let limit = 4096

  /// The last step of every leg, which is the one that writes.
  private var writing: [Step] { ranges.map { steps[$0.upperBound - 1] } }

  /// The rows that are written, by leg.
  public var rowsByLeg: [Int64] { writing.map(\.rows) }

  /// The rows that all legs write.
  public var rows: Int64 { rowsByLeg.reduce(0, +) }

  /// The bytes that all legs write, estimated.
  public var estimatedSize: ByteCount {
    ByteCount(bytes: writing.reduce(0) { $0 + $1.estimatedBytes })
  }

  /// The time of all legs, in seconds, estimated.
  public var estimatedSeconds: Double { CostModel.sum(writing.map(\.estimatedSeconds)) }
}
