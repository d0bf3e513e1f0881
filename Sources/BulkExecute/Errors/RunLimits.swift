package import BulkSupport
package import BulkPlan

/// The limits of a run; every checkpoint keeps those in force when it was written.
package struct RunLimits: Codable, Hashable, Sendable {
  package var memory: ByteCount
  package var losses: LossLimit
  package var rejects: RejectPolicy
}
