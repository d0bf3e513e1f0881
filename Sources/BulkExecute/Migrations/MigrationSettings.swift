public import BulkCoding
public import BulkPlan
internal import BulkPlatform
package import BulkStore

/// The settings of a migration: limits, what is done about faults, and what is called while it works.
public struct MigrationSettings {
  /// The usual settings.
  public init() {}

  /// The memory limit of the process.
  public var memoryLimit = ByteCount.mebibytes(256)
  /// The threads that work at the same time, at least 1, on which the outcome does not depend.
  ///
  /// At most two are useful.
  public var threads = Migration.usualThreads
  /// The baseline of the process's memory, if it was measured before the run; `nil` to measure it
  /// at the beginning of the run.
  public var baseMemory: ByteCount?
  /// The policies that the plan's mapping model may use.
  public var policies = PolicyRegistry()
  /// The folder for everything that must survive an interruption; `nil` for one beside the destination.
  public var stateDirectory: String?
  /// How long to wait for the lock of another process.
  public var lockWait = Duration.zero
  /// The action when the disk is full.
  public var onDiskFull = DiskFullAction.stop
  /// The limit of losses; a plan that counts more is refused, and a store that lacks more is not
  /// published.
  public var lossLimit = LossLimit.usual
  /// The treatment of objects that cannot be migrated as they are.
  public var rejects = RejectPolicy()
  /// The limits after an interrupted run with the given ones; `nil` if they are the same as without one.
  public var limitsAfter: ((RunLimits) -> (losses: LossLimit, rejects: RejectPolicy))?
  /// Whether the state directory keeps a receipt, so that a run of the same plan finds that it is done.
  public var keepsReceipt = false
  /// Whether to write checkpoints, from which an interrupted run can be resumed.
  public var keepsCheckpoints = true
  /// The rows in a batch, at least ``Migration/minimumBatchRows``; a resumed run uses those of the interrupted one.
  public var batchRows: Int64 = TransactionLog.defaultBatchRows
  /// Called regularly; returns whether to stop, and how.
  public var stopRequest: () -> StopRequest? = { nil }
  /// The time after which ``stopRequest`` requests a stop, if there is one; a limit far below the longest
  /// indivisible part is refused before anything is made.
  public var timeLimit: Duration?
  /// The name or number of the pass after which the run ends, with the state kept; `nil` to run to the end.
  public var lastPassName: String?
  /// Called with every pass that is done, where there are several.
  public var passDone: (PassUse) -> Void = { _ in }
  /// Called when the run takes another memory limit, as requested (``RunControl``).
  public var memoryLimitChanged: (ByteCount) throws -> Void = { _ in }
  /// The memory limit that the caller requests while the run works; `nil` for none.
  ///
  /// One that is too small is not taken.
  package var requestedMemoryLimit: @Sendable () -> ByteCount? = { nil }
  /// Called with the progress after every batch.
  public var report: (MigrationProgress) -> Void = { _ in }
  /// Called with the number of every checkpoint that counts from now on, and the rows that it keeps.
  public var checkpointWritten: (Int64, Int64) -> Void = { _, _ in }
  /// Called with decisions and their reasons, a sentence each.
  public var decided: (String) -> Void = { _ in }

  /// Makes the row sink of a store, which may write the given rows as pages; `nil` if rows are also inserted
  /// one by one.
  package var rowSink: (StoreSession, PageFills?) -> any RowSink = { session, fills in
    fills.map { PageRowSink(session, $0) } ?? SQLRowSink(session)
  }
}
