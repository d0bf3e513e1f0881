import BulkCoding
import BulkExecute
import BulkFleet
import BulkVersions

struct TaskProgress: Equatable, Sendable {
  enum Unit: String, Sendable { case rows, lines, stores, bytes, files }

  var name: String
  var unit = Unit.rows
  var done: Int64
  var total: Int64
  var isUpperBound = false
  /// The share of all work that is done, from 0 to 1; `nil` to take that of the amount.
  var share: Double?
  /// The bytes that the process has written; `nil` for no rate of them.
  var bytesWritten: Int64?
  var memory: ByteCount?
  var memoryLimit: ByteCount?
  /// Whether its name may change while it is the same task, and plain lines show it.
  var isLong = false

  var shareDone: Double? {
    // Policies may make more rows than a plan can know of.
    share ?? (total > 0 && done <= total ? Double(done) / Double(total) : nil)
  }
}

extension TaskProgress {
  init(_ progress: MigrationProgress) {
    let step = progress.stepCount > 1 ? "step \(progress.step)/\(progress.stepCount) " : ""
    let pass = "\(step)pass \(progress.pass)/\(progress.passCount)"
    let name = progress.passName.map { " (\($0))" } ?? ""
    self.init(
      name: "\(pass)\(name) \(progress.stage.rawValue)",
      done: progress.rowsDone,
      total: progress.rowsTotal,
      isUpperBound: progress.isUpperBound,
      share: progress.share,
      bytesWritten: ProcessUse.bytesWritten,
      memory: progress.memory,
      memoryLimit: progress.memoryLimit,
      isLong: true
    )
    if let files = progress.filesDone, let all = progress.filesTotal {
      (unit, done, total) = (.files, files, all)
    }
  }

  init(_ stage: String, _ done: Int64, atMost total: Int64, in memoryLimit: ByteCount) {
    self.init(
      name: stage,
      done: done,
      total: total,
      isUpperBound: true,
      memory: ProcessMemory.resident,
      memoryLimit: memoryLimit,
      isLong: true
    )
  }

  init(_ progress: PlanningProgress) {
    let name =
      switch progress.stage {
      case .reading: "reading the store"
      case .pages: "walking through its pages"
      case .counting: "counting rows"
      case .losses: "counting losses"
      case .values: "looking for large values"
      }
    self.init(name: name, unit: .bytes, done: progress.bytesDone, total: progress.bytesTotal)
  }

  init(_ progress: FleetPlanningProgress) {
    let (name, unit): (String, Unit) =
      switch progress.stage {
      case .manifest: ("reading the manifest", .lines)
      case .stores: ("looking at stores", .stores)
      case .list: ("writing the list", .stores)
      }
    self.init(name: name, unit: unit, done: progress.done, total: progress.total)
  }

  init(_ tally: FleetTally) {
    let failures = tally.failures > 0 ? "\(Int64(tally.failures).grouped) failed" : "migrating"
    self.init(
      name: failures,
      unit: .stores,
      done: Int64(tally.total - tally.left),
      total: Int64(tally.total),
      isLong: true
    )
  }

  init(_ record: MigrationRecord) {
    self.init(
      name: record.stage?.rawValue ?? "at work",
      done: record.rowsWritten ?? record.rows,
      total: record.rowsTotal ?? 0,
      isUpperBound: record.isUpperBound,
      share: record.share,
      memory: record.measures?.samples.last.flatMap {
        $0.memoryBytes > 0 ? ByteCount(bytes: $0.memoryBytes) : nil
      },
      memoryLimit: record.memoryLimit,
      isLong: true
    )
  }
}
