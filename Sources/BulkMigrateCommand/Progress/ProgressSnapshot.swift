import BulkCoding

/// The progress of a migration at one moment.
struct ProgressSnapshot: Equatable, Sendable {
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
