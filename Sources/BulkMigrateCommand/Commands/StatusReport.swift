import BulkCoding
import BulkPlan
import BulkExecute

/// What `status --json` prints.
struct StatusReport: Encodable {
  let state: MigrationStatus.State
  let stateDirectory: String
  let stateBytes: Int64
  let destination: String?
  let plan: String?
  let checkpoint: Int64?
  let rowsDone: Int64?
  let rowsTotal: Int64?
  /// Whether there may be fewer rows than `rowsTotal`.
  let isUpperBound: Bool
  /// Whether the store is whole and has only to be published.
  let isFinished: Bool
  let owner: StateOwner?

  init(_ status: MigrationStatus) {
    state = status.state
    stateDirectory = status.stateDirectory
    stateBytes = status.size.bytes
    destination = status.plan?.destination.store
    plan = status.plan?.fingerprint
    checkpoint = status.checkpoint
    rowsDone = status.rowsDone
    rowsTotal = status.rowsTotal
    isUpperBound = status.isUpperBound
    isFinished = status.isFinished
    owner = status.owner
  }
}
