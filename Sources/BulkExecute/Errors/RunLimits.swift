internal import BulkCoding
internal import BulkPlan

/// The limits that a run was given; what continues it has the same unless it is told others.
struct RunLimits {
  let memory: ByteCount
  let losses: LossLimit
}
