package import BulkSupport
package import BulkPlan
internal import BulkStore

/// The settings of a migration: limits, and the treatment of faults.
package struct MigrationSettings: Sendable {
  package init() {}

  package var memoryLimit = ByteCount.mebibytes(256)
  /// The threads that work at the same time, at least 1, on which the outcome does not depend.
  ///
  /// At most two are useful.
  package var threads = Migration.usualThreads
  /// The baseline of the process's memory, if it was measured before the run; `nil` to measure it
  /// at the beginning of the run.
  package var baseMemory: ByteCount?
  package var policies = PolicyRegistry()
  /// The folder for everything that must survive an interruption; `nil` for one beside the destination.
  package var stateDirectory: String?
  package var lockWait = Duration.zero
  /// The limit of losses; a plan that counts more is refused, and a store that lacks more is not
  /// published.
  package var lossLimit = LossLimit.usual
  /// Whether losses that show in the store alone are counted; that every source row is accounted for is checked anyway.
  package var countsLosses = true
  package var rejects = RejectPolicy()
  /// The limits after an interrupted run with the given ones; `nil` if they are the same as without one.
  package var limitsAfter: (@Sendable (RunLimits) -> (losses: LossLimit, rejects: RejectPolicy))?
  /// Whether the state directory keeps a receipt, so that a run of the same plan finds that it is done.
  package var keepsReceipt = false
  package var keepsCheckpoints = true
  /// The rows in a batch; a resumed run uses those of the interrupted one.
  package var batchRows: Int64 = TransactionLog.defaultBatchRows
  /// The time after which ``MigrationEvents/stopRequest`` requests a stop, if there is one; a limit far below the longest
  /// indivisible part is refused before anything is made.
  package var timeLimit: Duration?
}
