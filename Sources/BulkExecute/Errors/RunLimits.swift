internal import BulkCoding
internal import BulkPlan

/// The limits of a run; a resumed run keeps them unless it is given others.
struct RunLimits {
  let memory: ByteCount
  /// The smallest memory limit that the run can be asked to take; `nil` if it takes no other.
  let leastMemory: ByteCount?
  let losses: LossLimit
  let rejects: RejectPolicy
}
