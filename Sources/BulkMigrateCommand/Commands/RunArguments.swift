import BulkCoding
import BulkExecute
import BulkPlan

/// The arguments of commands that carry out a migration.
struct RunArguments: PolicyArguments {
  var output = OutputOptions()
  var policies = PolicyOptions()
  /// The plan; by default that of the current folder or the state directory.
  var planPath: String?
  var stateDirectory: String?
  /// The treatment of objects that violate rules; by default that of the interrupted run, or to
  /// stop.
  var onError: RejectPolicy.Action?
  var dependants: RejectPolicy.Dependants?
  var maxRejects: RejectPolicy.Limit?
  /// The memory limit; by default that of an interrupted run, or the usual one.
  var maxMemory: ByteCount?
  var maxLoss: LossLimit?
  var maxDuration: Duration?
  var reportPath: String?
  var diesWithParent = false
  var restarts = false
  var resumesIfStarted = false

  static let usualMemory = ByteCount.mebibytes(256)

  /// The options of both `run` and `resume`.
  static let options: [OptionRow<RunArguments>] =
    [
      .value("plan", "FILE", \.planPath).help("The plan to carry out."),
      .value("state-dir", "DIR", \.stateDirectory).help(
        "Where checkpoints and the unfinished store lie."
      ),
      .value("on-error", "ACTION", \.onError).help(
        "What becomes of objects that break rules of the model, or of which an expression fails: stop lists all "
          + "of them and makes no destination; quarantine leaves them out, keeps them in the state directory "
          + "under rejects, and ends with 3. It also leaves out the rows of pages that cannot be read."
      ).usually(
        "\(RejectPolicy().action.rawValue), or that of the run that is resumed"
      ),
      .value("max-rejects", "N", \.maxRejects).help(
        "With --on-error quarantine: how many objects may be left out, a number or a share of the rows (1%). "
          + "Beyond it the run ends with 1, and resume with a larger limit continues."
      ).usually("\(RejectPolicy().limit)"),
      .value("dependants", "ACTION", \.dependants).help(
        "What becomes of objects that lead to one that is left out: nullify sets the relationship to nil, where "
          + "the model allows it; reject leaves them out too."
      ).usually(RejectPolicy().dependants.rawValue),
      .flag("die-with-parent", \.diesWithParent).help(
        "Stop, as by SIGTERM, when the process that started this one ends."
      ),
      .value("max-memory", short: "m", "SIZE", \.maxMemory).help(
        "Memory the process may hold: 256M, 1G, or 25% of what there is."
      ).usually(
        "\(usualMemory), or that of the run that is resumed"
      ),
      .value("max-loss", "N", \.maxLoss).help(
        "How many objects, values and links may be lost: none, a number, or all. Beyond it nothing is "
          + "started, or nothing published."
      ).usually(
        "\(LossLimit.usual), or that of the run that is resumed"
      ),
      .value("max-duration", "TIME", \.maxDuration).help(
        "Stop after so long (15s, 1h30m), with work left and exit code 6; what cannot be divided is finished "
          + "first, where nothing else was done."
      ),
      .value("report", "FILE", \.reportPath).help(
        "Write a report at the end, however it ends: one page of HTML with the plan, what it took, and what is "
          + "lost. An earlier report of the same name is replaced."
      ),
    ] + PolicyOptions.rows.within(\RunArguments.policies)

  func limits(after former: RunLimits? = nil) -> (losses: LossLimit, rejects: RejectPolicy) {
    let known = former?.rejects ?? RejectPolicy()
    let rejects = RejectPolicy(
      onError ?? known.action,
      dependants: dependants ?? known.dependants,
      limit: maxRejects ?? known.limit
    )
    return (maxLoss ?? former?.losses ?? .usual, rejects)
  }
}

extension RejectPolicy.Limit: OptionValue {
  /// Parses a limit: `all`, a number, or a share in percent.
  init(parsing text: String) throws(UsageError) {
    if text == "all" {
      self = .all
    } else if let share = Double(percentage: text) {
      self = .share(share)
    } else if let count = Int64(text.replacing(",", with: "")), count >= 0 {
      self = .count(count)
    } else {
      throw UsageError(text, among: ["a number", "a share as 1%", "all"])
    }
  }
}
