import BulkCoding
import BulkExecute
import BulkPlan

/// The arguments of `bulkmigrate run` and `bulkmigrate resume`.
struct RunArguments: RunningArguments {
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
  /// What to do with objects that break rules; by default that of the interrupted run, or to stop.
  var onError: RejectPolicy.Action?
  var dependants: RejectPolicy.Dependants?
  var maxRejects: RejectPolicy.Limit?
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
  /// Where to write events.
  var eventsPath: String?
  /// Where to write a report.
  var reportPath: String?
  var keepsHistory = true

  /// The default memory limit.
  static let usualMemory = ByteCount.mebibytes(256)

  static let options: [OptionRow<RunArguments>] =
    [
      .value("plan", "FILE", "The plan to carry out.") { $0.planPath = $1 },
      .value("state-dir", "DIR", "Where checkpoints and the unfinished store lie.") {
        $0.stateDirectory = $1
      },
      .value("tmp-dir", "DIR", "Where files lie that need not survive an interruption.") {
        $0.temporaryDirectory = $1
      },
      .value(
        "on-error",
        "ACTION",
        "What becomes of objects that break rules of the model, or of which an expression fails: stop lists all "
          + "of them and makes no destination; quarantine leaves them out, keeps them in the state directory "
          + "under rejects, and ends with 3. It also leaves out the rows of pages that cannot be read."
      ) {
        $0.onError = try RejectPolicy.Action(parsing: $1)
      }.among(RejectPolicy.Action.allCases.map(\.rawValue)).usually(
        "\(RejectPolicy().action.rawValue), or that of the run that is resumed"
      ),
      .value(
        "max-rejects",
        "N",
        "With --on-error quarantine: how many objects may be left out, a number or a share of the rows (1%). "
          + "Beyond it the run ends with 1, and resume with a larger limit continues."
      ) {
        $0.maxRejects = try RejectPolicy.Limit(parsing: $1)
      }.usually("\(RejectPolicy().limit)"),
      .value(
        "dependants",
        "ACTION",
        "What becomes of objects that lead to one that is left out: nullify sets the relationship to nil, where "
          + "the model allows it; reject leaves them out too."
      ) {
        $0.dependants = try RejectPolicy.Dependants(parsing: $1)
      }.among(RejectPolicy.Dependants.allCases.map(\.rawValue)).usually(
        RejectPolicy().dependants.rawValue
      ),
      .value("lock-wait", "TIME", "Wait so long for another process that holds the migration.") {
        $0.lockWait = try Duration(parsing: $1)
      }.usually("0s"),
      .value("batch-size", "ROWS", "Rows of a batch, at least 1000; the outcome is the same.") {
        $0.batchRows = try RowCount(parsing: $1).rows
      }.usually("100000"),
      .value(
        "events",
        "FILE",
        "Add a line of JSON to a file for the plan, every stage, batch, checkpoint, pass and warning, and the result "
          + "(Plans/schemas/event.schema.json). With - the lines are the result, on standard output."
      ) { $0.eventsPath = $1 },
      .flag("die-with-parent", "Stop, as by SIGTERM, when the process that started this one ends.")
      {
        $0.diesWithParent = true
      },
    ] + runningOptions(usualLoss: "all, or that of the run that is resumed")
}

extension RunArguments {
  /// The limits that are given; else those of the run that is resumed, or the usual ones.
  func limits(after former: RunLimits? = nil) -> (losses: LossLimit, rejects: RejectPolicy) {
    let known = former?.rejects ?? RejectPolicy()
    let rejects = RejectPolicy(
      onError ?? known.action,
      dependants: dependants ?? known.dependants,
      limit: maxRejects ?? known.limit
    )
    return (maxLoss ?? former?.losses ?? .all, rejects)
  }
}

extension RejectPolicy.Action {
  /// Parses an action.
  init(parsing text: String) throws(UnknownWord) {
    guard let action = Self(rawValue: text) else {
      throw UnknownWord(text, among: Self.allCases.map(\.rawValue))
    }
    self = action
  }
}

extension RejectPolicy.Dependants {
  /// Parses an action.
  init(parsing text: String) throws(UnknownWord) {
    guard let action = Self(rawValue: text) else {
      throw UnknownWord(text, among: Self.allCases.map(\.rawValue))
    }
    self = action
  }
}

extension RejectPolicy.Limit {
  /// Parses a limit: `all`, a number, or a share in percent.
  init(parsing text: String) throws(UnknownWord) {
    if text == "all" {
      self = .all
    } else if text.hasSuffix("%"), let share = Double(text.dropLast()), (0...100).contains(share) {
      self = .share(share / 100)
    } else if let count = Int64(text.replacing(",", with: "")), count >= 0 {
      self = .count(count)
    } else {
      throw UnknownWord(text, among: ["a number", "a share as 1%", "all"])
    }
  }
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

/// The arguments of a command that carries out a migration.
protocol RunningArguments: CommandArguments {
  /// The memory limit; by default that of an interrupted run, or the usual one.
  var maxMemory: ByteCount? { get set }
  var maxDuration: Duration? { get set }
  /// The limit of losses; `nil` for that of the command.
  var maxLoss: LossLimit? { get set }
  var threads: ThreadCount? { get set }
  var onDiskFull: DiskFullAction { get set }
  /// Where to write a report.
  var reportPath: String? { get set }
  /// Whether the record of earlier runs is read and written.
  var keepsHistory: Bool { get set }
}

extension RunningArguments {
  /// The rows of these options.
  ///
  /// - Parameter usualLoss: How much may be lost where nothing is said of it.
  /// - Returns: The rows.
  static func runningOptions(usualLoss: String) -> [OptionRow<Self>] {
    [
      .value(
        "max-memory",
        short: "m",
        "SIZE",
        "Memory the process may hold: 256M, 1G, or 25% of what there is."
      ) { $0.maxMemory = try ByteCount(parsing: $1) }.usually(
        "\(RunArguments.usualMemory), or that of the run that is resumed"
      ),
      .value(
        "max-loss",
        "N",
        "How many objects, values and links may be lost: none, a number, or all. Beyond it nothing is "
          + "started, or nothing published."
      ) { $0.maxLoss = try LossLimit(parsing: $1) }.among(["none", "all"]).usually(usualLoss),
      .value(
        "max-duration",
        "TIME",
        "Stop after so long (15s, 1h30m), with work left and exit code 6; what cannot be divided is finished "
          + "first, where nothing else was done."
      ) {
        $0.maxDuration = try Duration(parsing: $1)
      },
      .value(
        "threads",
        "N",
        "Threads that work at the same time, 1 or 2."
      ) {
        $0.threads = try ThreadCount(parsing: $1)
      }.usually("2 where there are two processors"),
      .value("on-disk-full", "ACTION", "stop, or wait until there is room.") {
        $0.onDiskFull = try DiskFullAction(parsing: $1)
      }.among(DiskFullAction.allCases.map(\.rawValue)).usually(DiskFullAction.stop.rawValue),
      .value(
        "report",
        "FILE",
        "Write a report at the end, however it ends: one page of HTML with the plan, what it took, and what is "
          + "lost. An earlier report of the same name is replaced."
      ) { $0.reportPath = $1 },
      .flag(
        "no-history",
        "Neither read nor write the record of earlier runs, history.json in ~/.local/state/bulkmigrate, by which "
          + "times left are shown."
      ) { $0.keepsHistory = false },
    ]
  }
}
