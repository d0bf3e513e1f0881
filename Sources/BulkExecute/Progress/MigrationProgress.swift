public import BulkCoding

/// Where a running migration stands.
public struct MigrationProgress: Hashable, Sendable {
  /// What is being done.
  public enum Stage: String, Hashable, Sendable {
    /// Rows are written.
    case rows
    /// Indexes are made.
    case indexes
    /// The objects are held against the rules of the model.
    case validation
    /// The disk is full, and room is waited for.
    case waitingForRoom
    /// The file is finished, synced and published.
    case publishing

    /// Whether all rows are made before it.
    var followsRows: Bool {
      switch self {
      case .rows, .waitingForRoom: false
      case .indexes, .validation, .publishing: true
      }
    }
  }

  /// The step that is running, from 1, of a plan that leads over several versions of the model.
  public var step = 1
  /// The number of steps.
  public var stepCount = 1
  /// The pass of the step that is running, from 1.
  public var pass: Int
  /// The number of the step's passes.
  public var passCount: Int
  /// What is being done.
  public var stage: Stage
  /// The rows that are written, in all steps and passes.
  public var rowsDone: Int64
  /// The rows to write, in all steps and passes.
  public var rowsTotal: Int64
  /// Whether there may be fewer rows to write than that.
  public var isUpperBound = false
  /// The memory that the process holds, where the system tells it.
  public var memory: ByteCount?
  /// The memory that it may hold.
  public var memoryLimit: ByteCount
}
