import BulkCoding

/// The progress of a migration, or of another task, at one moment.
struct ProgressSnapshot: Equatable, Sendable {
  /// What is counted.
  enum Unit: Equatable, Sendable {
    case rows
    case lines
    case stores
    case bytes
  }

  /// What is done, where it is no migration.
  var task: String?
  /// What is counted; a migration counts rows.
  var unit = Unit.rows
  /// Whether all rows are written.
  var followsRows = false
  /// The step that is running, counted from 1.
  var step = 1
  var stepCount = 1
  /// The pass that is running, counted from 1.
  var pass: Int
  /// Its name, where there are several.
  var passName: String?
  var passCount: Int
  /// The stage of that pass, as `create`.
  var stage: String
  /// The rows finished in all passes, including those before a resumption.
  var rowsDone: Int64
  /// The rows of all passes.
  var rowsTotal: Int64
  /// Whether there may be fewer rows than that.
  var isUpperBound = false
  /// The memory in use, if known.
  var memory: ByteCount?
  /// The memory limit, if there is one.
  var memoryLimit: ByteCount?
}
