package import BulkCoding
package import BulkPlan

/// The limits of a run; every checkpoint keeps those in force when it was written.
package struct RunLimits: Codable, Hashable, Sendable {
  /// The memory limit of the process.
  package var memory: ByteCount
  /// The smallest memory limit that the run accepts while it runs; `nil` if it takes no other.
  package var leastMemory: ByteCount?
  package var losses: LossLimit
  /// The treatment of objects that cannot be migrated as they are.
  package var rejects: RejectPolicy
}
