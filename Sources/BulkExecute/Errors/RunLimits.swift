package import BulkCoding
package import BulkPlan

/// The limits of a run; every checkpoint keeps those in force when it was written.
package struct RunLimits: Codable, Hashable, Sendable {
  /// The memory limit of the process.
  package var memory: ByteCount
  package var losses: LossLimit
  /// The treatment of objects that cannot be migrated as they are.
  package var rejects: RejectPolicy
}
