public import BulkSupport

/// The progress of a running migration.
public struct MigrationProgress: Hashable, Sendable {
  /// The stages of a migration.
  public enum Stage: String, Codable, Hashable, Sendable, CaseIterable {
    /// Rows are written into tables.
    case rows
    /// Indexes are built from the rows.
    case indexes
    /// Objects are validated against the model.
    case validation
    /// The files with external values are copied.
    case files
    /// The file is finished, synced and published.
    case publishing
    /// The losses that depend on the objects that were made are counted.
    case losses

    /// Whether the stage comes after all rows.
    public var followsRows: Bool { self != .rows }
  }

  /// The running step, from 1, of a route.
  public var step = 1
  /// The number of steps.
  public var stepCount = 1
  /// The running pass of the step, from 1.
  public var pass: Int
  /// The name of the running pass, where there are several.
  public var passName: String?
  /// The number of the step's passes.
  public var passCount: Int
  /// The stage in progress.
  public var stage: Stage
  /// The rows written, of all steps and passes.
  public var rowsDone: Int64
  /// The rows to write, of all steps and passes.
  public var rowsTotal: Int64
  /// Whether `rowsTotal` is only an upper bound.
  public var isUpperBound = false
  /// The files with external values that are copied; `nil` in other stages than ``Stage/files``.
  public var filesDone: Int64?
  /// The files to copy; `nil` in other stages.
  public var filesTotal: Int64?
  /// The share of all work that is done, from 0 to 1, over all steps and passes; `nil` while it is not known.
  ///
  /// Reading counts and what comes after the last row, too, each by a rough weight, so it grows where
  /// `rowsDone` does not.
  public var share: Double?
  /// The memory that the process holds, where the system reports it.
  public var memory: ByteCount?
  /// The memory limit of the process.
  public var memoryLimit: ByteCount
}
