import BulkSupport
import BulkExecute
import BulkFleet
import BulkPlan

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

/// The rate of finished rows and of all work, and the remaining time, estimated from observations.
struct ProgressPace: Sendable {
  /// The time in seconds after which an observation has lost half of its weight.
  private static let memory = 10.0
  /// The seconds that are observed before there is a forecast: the first one is often that of a beginning.
  private static let unsureSeconds = 2.0
  /// The number of forecasts that must agree before one is called steady.
  private static let forecastCount = 5

  private(set) var rowsPerSecond: Double?
  private(set) var bytesPerSecond: Double?
  private(set) var remaining: Duration?
  private var sharePerSecond: Double?
  private var first: Duration?
  private var last: (rows: Int64, share: Double?, bytes: Int64?, time: Duration)?
  private var expectedEnds: [Duration] = []

  /// Whether the latest forecasts differ by less than a tenth of the time that remains.
  var isSteady: Bool {
    guard let remaining, let first = expectedEnds.min(), let last = expectedEnds.max() else {
      return false
    }
    return expectedEnds.count == Self.forecastCount
      && last - first <= max(remaining / 10, .seconds(1))
  }

  /// Adds an observation, the number of finished rows at a time, the share of the work that is done and the bytes that
  /// were written, if known; those closer than a second count as one.
  mutating func record(
    _ rows: Int64,
    share: Double?,
    bytes: Int64? = nil,
    at time: Duration
  ) {
    guard let last else {
      (first, self.last) = (time, (rows, share, bytes, time))
      return
    }
    let seconds = (time - last.time) / .seconds(1)
    guard seconds >= 1 else { return }
    self.last = (rows, share, bytes, time)
    let known = (time - (first ?? last.time)) / .seconds(1)
    // An average at first, in which no second counts more than another.
    let weight = max(seconds / (seconds + Self.memory), seconds / known)
    func averaged(_ observed: Double, with before: Double?) -> Double {
      before.map { $0 + (observed - $0) * weight } ?? observed
    }
    rowsPerSecond = averaged(Double(rows - last.rows) / seconds, with: rowsPerSecond)
    bytesPerSecond = bytes.flatMap { bytes in
      last.bytes.map { averaged(Double(bytes - $0) / seconds, with: bytesPerSecond) }
    }
    sharePerSecond = share.flatMap { share in
      last.share.map { averaged((share - $0) / seconds, with: sharePerSecond) }
    }
    guard known >= Self.unsureSeconds else { return }
    forecast(share, at: time)
  }

  private mutating func forecast(_ share: Double?, at time: Duration) {
    guard let share, let sharePerSecond, sharePerSecond > 0 else {
      remaining = nil
      expectedEnds = []
      return
    }
    // A rate near zero would give more seconds than a duration holds.
    let left = Duration.seconds(min((1 - share) / sharePerSecond, 1e9))
    remaining = left
    expectedEnds = expectedEnds.suffix(Self.forecastCount - 1) + [time + left]
  }
}
