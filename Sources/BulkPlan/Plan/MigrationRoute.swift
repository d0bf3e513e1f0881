public import BulkCoding

/// The way of a store over several versions of its model: steps that are carried out one after another,
/// each a planned migration of its own.
///
/// Plans of a single step have no route.
public struct MigrationRoute: Codable, Hashable, Sendable {
  /// One step: from one version of the model to another.
  public struct Hop: Codable, Hashable, Sendable {
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
  }

  /// The steps in their order; at least two, each beginning with the version that the one before it
  /// leads to.
  public var hops: [Hop]

  /// The most steps that a route may have; no application has a hundredth as many versions.
  static let limit = 4096

  /// The rows of all steps.
  public var rows: Int64 { hops.reduce(0) { $0 + $1.rows } }

  /// The bytes of all steps, estimated.
  public var estimatedSize: ByteCount {
    ByteCount(bytes: hops.reduce(0) { $0 + $1.estimatedBytes })
  }

  /// The time of all steps, in seconds, estimated.
  public var estimatedSeconds: Double { CostModel.sum(hops.map(\.estimatedSeconds)) }
}
