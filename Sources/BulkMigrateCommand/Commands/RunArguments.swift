import BulkCoding
import BulkExecute
import BulkPlan

/// The arguments of `bulkmigrate run` and `bulkmigrate resume`.
struct RunArguments: PolicyArguments {
  var output = OutputOptions()
  var running = RunningOptions()
  var policies = PolicyOptions()
  /// The plan; by default that of the current folder or the state directory.
  var planPath: String?
  var stateDirectory: String?
  var temporaryDirectory: String?
  /// The treatment of objects that violate rules; by default that of the interrupted run, or to
  /// stop.
  var onError: RejectPolicy.Action?
  var dependants: RejectPolicy.Dependants?
  var maxRejects: RejectPolicy.Limit?
  var lockWait = Duration.zero
  var batchRows: Int64?
  var keepsCheckpoints = true
  var diesWithParent = false
  var restarts = false
  var resumesIfStarted = false

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
      .word(
        "on-error",
        "ACTION",
        "What becomes of objects that break rules of the model, or of which an expression fails: stop lists all "
          + "of them and makes no destination; quarantine leaves them out, keeps them in the state directory "
          + "under rejects, and ends with 3. It also leaves out the rows of pages that cannot be read."
      ) { $0.onError = $1 }.usually(
        "\(RejectPolicy().action.rawValue), or that of the run that is resumed"
      ),
      .value(
        "max-rejects",
        "N",
        "With --on-error quarantine: how many objects may be left out, a number or a share of the rows (1%). "
          + "Beyond it the run ends with 1, and resume with a larger limit continues."
      ) { $0.maxRejects = try RejectPolicy.Limit(parsing: $1) }.usually("\(RejectPolicy().limit)"),
      .word(
        "dependants",
        "ACTION",
        "What becomes of objects that lead to one that is left out: nullify sets the relationship to nil, where "
          + "the model allows it; reject leaves them out too."
      ) { $0.dependants = $1 }.usually(RejectPolicy().dependants.rawValue),
      .value("lock-wait", "TIME", "How long to wait for the lock.") {
        $0.lockWait = try Duration(parsing: $1)
      }.usually("0s"),
      .value("batch-size", "ROWS", "Rows of a batch, at least 1000; the outcome is the same.") {
        $0.batchRows = try batchRows($1)
      }.usually("100000"),
      .flag("die-with-parent", "Stop, as by SIGTERM, when the process that started this one ends.")
      {
        $0.diesWithParent = true
      },
    ]
    + RunningOptions.options(usualLoss: "\(LossLimit.usual), or that of the run that is resumed")
    .within(\RunArguments.running) + PolicyOptions.rows.within(\RunArguments.policies)

  private static func batchRows(_ text: String) throws(UsageError) -> Int64 {
    let least = Migration.minimumBatchRows
    guard let rows = Int64(text), (least...1 << 32).contains(rows) else {
      throw UsageError(text, among: ["a number of rows from \(least); try 100000"])
    }
    return rows
  }
}

extension RunArguments {
  func limits(after former: RunLimits? = nil) -> (losses: LossLimit, rejects: RejectPolicy) {
    let known = former?.rejects ?? RejectPolicy()
    let rejects = RejectPolicy(
      onError ?? known.action,
      dependants: dependants ?? known.dependants,
      limit: maxRejects ?? known.limit
    )
    return (running.maxLoss ?? former?.losses ?? .usual, rejects)
  }
}

extension RejectPolicy.Limit {
  /// Parses a limit: `all`, a number, or a share in percent.
  init(parsing text: String) throws(UsageError) {
    if text == "all" {
      self = .all
    } else if text.hasSuffix("%"), let share = Double(text.dropLast()), (0...100).contains(share) {
      self = .share(share / 100)
    } else if let count = Int64(text.replacing(",", with: "")), count >= 0 {
      self = .count(count)
    } else {
      throw UsageError(text, among: ["a number", "a share as 1%", "all"])
    }
  }
}

/// The options of a command that carries out a migration.
struct RunningOptions: Sendable {
  /// The memory limit; by default that of an interrupted run, or the usual one.
  var maxMemory: ByteCount?
  var maxDuration: Duration?
  var maxLoss: LossLimit?
  var threads: ThreadCount?
  var reportPath: String?

  /// The rows of the options; the help names the limit of losses without the option.
  static func options(usualLoss: String) -> [OptionRow<RunningOptions>] {
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
      ) { $0.maxDuration = try Duration(parsing: $1) },
      .value("threads", "N", "Threads that work at the same time, 1 or 2.") {
        $0.threads = try ThreadCount(parsing: $1)
      }.usually("2 where there are two processors"),
      .value(
        "report",
        "FILE",
        "Write a report at the end, however it ends: one page of HTML with the plan, what it took, and what is "
          + "lost. An earlier report of the same name is replaced."
      ) { $0.reportPath = $1 },
    ]
  }
}
