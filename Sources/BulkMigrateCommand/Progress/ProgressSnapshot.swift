import BulkCoding

/// Where a migration stands at one moment.
struct ProgressSnapshot: Equatable, Sendable {
  /// The step that is running, counted from 1.
  var step = 1
  var stepCount = 1
  /// The pass that is running, counted from 1.
  var pass: Int
  var passCount: Int
  /// The stage of that pass in a word, as `create`.
  var stage: String
  /// The rows that are finished, in all passes together and before a resumption too.
  var rowsDone: Int64
  /// The rows of all passes together.
  var rowsTotal: Int64
  /// Whether there may be fewer rows than that.
  var isUpperBound = false
  /// The memory in use, where it is known.
  var memory: ByteCount?
  /// The memory that may be used, where there is a limit.
  var memoryLimit: ByteCount?
}
