internal import BulkCoding
internal import BulkPlan

/// The limits of a run; a resumed run keeps them unless it is given others.
struct RunLimits {
  let memory: ByteCount
  let losses: LossLimit
  let rejects: RejectPolicy
}
