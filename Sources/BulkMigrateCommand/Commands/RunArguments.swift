import BulkCoding
import BulkExecute
import BulkPlan

/// The arguments of `bulkmigrate run` and `bulkmigrate resume`.
struct RunArguments: CommandArguments {
  var output = OutputOptions()
  /// The plan; by default that of the current folder or the state directory.
  var planPath: String?
  var stateDirectory: String?
  var temporaryDirectory: String?
  /// The memory limit; by default that of the interrupted run, or the usual one.
  var maxMemory: ByteCount?
  var maxDuration: Duration?
  /// The limit of losses; by default that of the interrupted run, or no limit.
  var maxLoss: LossLimit?
  var lockWait = Duration.zero
  var onDiskFull = DiskFullAction.stop
  var batchRows: Int64?
  var threads: ThreadCount?
  var keepsCheckpoints = true
  var diesWithParent = false
  var restarts = false
  var resumesIfStarted = false
  /// The pass after which the run ends.
  var pass: String?

  /// The default memory limit.
  static let usualMemory = ByteCount.mebibytes(256)

  static let options: [OptionRow<RunArguments>] = [
    .value("plan", "FILE", "The plan to carry out.") { $0.planPath = $1 },
    .value(
      "max-memory",
      short: "m",
      "SIZE",
      "Memory the process may hold: 256M, 1G, or 25% of what there is."
    ) { $0.maxMemory = try ByteCount(parsing: $1) }.orEnvironment,
    .value("state-dir", "DIR", "Where checkpoints and the unfinished store lie.") {
      $0.stateDirectory = $1
    }.orEnvironment,
    .value("tmp-dir", "DIR", "Where files lie that need not survive an interruption.") {
      $0.temporaryDirectory = $1
    }.orEnvironment,
    .value(
      "max-duration",
      "TIME",
      "Stop after so long (15s, 1h30m), with work left and exit code 6; what cannot be divided is finished "
        + "first, where nothing else was done."
    ) {
      $0.maxDuration = try Duration(parsing: $1)
    }.orEnvironment,
    .value(
      "max-loss",
      "N",
      "How many objects, values and links may be lost: none, a number, or all. Beyond it nothing is "
        + "started, or nothing published."
    ) { $0.maxLoss = try LossLimit(parsing: $1) }.orEnvironment,
    .value("lock-wait", "TIME", "Wait so long for another process that holds the migration.") {
      $0.lockWait = try Duration(parsing: $1)
    }.orEnvironment,
    .value("batch-size", "ROWS", "Rows of a batch, at least 1000; the outcome is the same.") {
      $0.batchRows = try RowCount(parsing: $1).rows
    }.orEnvironment,
    .value(
      "threads",
      "N",
      "Threads that work at the same time: 1, or 2 where there are two processors."
    ) {
      $0.threads = try ThreadCount(parsing: $1)
    }.orEnvironment,
    .value("on-disk-full", "ACTION", "stop, or wait until there is room.") {
      $0.onDiskFull = try DiskFullAction(parsing: $1)
    }.orEnvironment,
    .flag("die-with-parent", "Stop, as by SIGTERM, when the process that started this one ends.") {
      $0.diesWithParent = true
    }.orEnvironment,
  ]
}

extension DiskFullAction {
  /// Parses an action.
  init(parsing text: String) throws(UnknownWord) {
    guard let action = DiskFullAction(rawValue: text) else {
      throw UnknownWord(text, among: DiskFullAction.allCases.map(\.rawValue))
    }
    self = action
  }
}
