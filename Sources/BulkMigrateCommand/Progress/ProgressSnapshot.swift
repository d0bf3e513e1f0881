import BulkCoding
import BulkExecute
import BulkVersions

/// The progress of a migration, or of another task, at one moment.
struct ProgressSnapshot: Equatable, Sendable {
  enum Unit: Equatable, Sendable {
    case rows
    case lines
    case stores
    case bytes
  }

  struct Files: Equatable, Sendable {
    var done: Int64
    var total: Int64
  }

  /// The task, if it is not a migration.
  var task: String?
  /// The unit of progress; a migration counts rows.
  var unit = Unit.rows
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
  /// The files that are copied, and all of them, while they are.
  var files: Files?
  /// The share of all work that is done, from 0 to 1; `nil` to take that of the rows.
  var share: Double?
  /// The memory in use, if known.
  var memory: ByteCount?
  var memoryLimit: ByteCount?
}

extension ProgressSnapshot {
  /// The share of the work that is done; `nil` if that is not known.
  var shareDone: Double? {
    // Policies may make more rows than a plan can know of.
    share ?? (rowsTotal > 0 && rowsDone <= rowsTotal ? Double(rowsDone) / Double(rowsTotal) : nil)
  }

  /// The progress of a task that is not a migration; the total is 0 if it is not known.
  init(_ task: String, _ done: Int64, of total: Int64, _ unit: Unit) {
    self.init(pass: 1, passCount: 1, stage: "", rowsDone: done, rowsTotal: total)
    self.task = task
    self.unit = unit
  }

  /// The progress of work in one pass, which may read fewer rows.
  init(_ stage: String, _ done: Int64, atMost total: Int64, in memoryLimit: ByteCount) {
    self.init(
      pass: 1,
      passCount: 1,
      stage: stage,
      rowsDone: done,
      rowsTotal: total,
      isUpperBound: true,
      memory: ProcessMemory.resident,
      memoryLimit: memoryLimit
    )
  }

  init(_ progress: PlanningProgress) {
    let task =
      switch progress.stage {
      case .reading: "reading the store"
      case .pages: "walking through its pages"
      case .counting: "counting rows"
      case .losses: "counting losses"
      case .values: "looking for large values"
      }
    self.init(task, progress.bytesDone, of: progress.bytesTotal, .bytes)
  }
}
