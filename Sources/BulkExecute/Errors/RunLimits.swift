public import BulkCoding
public import BulkPlan

/// The limits of a run; every checkpoint keeps those in force when it was written.
public struct RunLimits: Codable, Hashable, Sendable {
  /// The memory limit of the process.
  public var memory: ByteCount
  /// The smallest memory limit that the run accepts while it runs; `nil` if it takes no other.
  public var leastMemory: ByteCount?
  /// The limit of losses.
  public var losses: LossLimit
  /// The treatment of objects that cannot be migrated as they are.
  public var rejects: RejectPolicy
}
