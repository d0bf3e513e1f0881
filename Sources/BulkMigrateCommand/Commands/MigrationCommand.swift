internal import BulkVersions
import BulkCoding
import BulkExecute
import BulkPlan

/// `run`, `resume` and `migrate`: the arguments of a command that carries out a migration.
struct MigrationCommand: PolicyArguments {
  enum Verb { case run, resume, migrate }

  let verb: Verb
  var output = OutputOptions()
  var policies = PolicyOptions()
  /// The plan; by default that of the current folder or the state directory.
  var planPath: String?
  var stateDirectory: String?
  /// The store that is migrated in its place.
  var store = ""
  /// How it is migrated.
  var request = PlanRequest()
  /// Whether the file itself is changed.
  var isInPlace = false
  /// The treatment of objects that violate rules; by default that of the interrupted run, or to stop.
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

  init(_ verb: Verb = .run) { self.verb = verb }

  static let commands = (
    run: command(runTable), resume: command(resumeTable), migrate: command(migrateTable)
  )

  private static func command(_ table: OptionTable<MigrationCommand>) -> Command {
    Command(table) { try MigrationRun($0, $1).carryOut() }
  }

  /// How an interrupted migration is treated.
  var start: Migration.Start {
    switch verb {
    case .run: restarts ? .restart : resumesIfStarted ? .resumeOrBegin : .begin
    case .resume: .resume
    case .migrate: .resumeOrBegin
    }
  }

  func limits(after former: RunLimits? = nil) -> (losses: LossLimit, rejects: RejectPolicy) {
    let known = former?.rejects ?? RejectPolicy()
    let rejects = RejectPolicy(
      onError ?? known.action,
      dependants: dependants ?? known.dependants,
      limit: maxRejects ?? known.limit
    )
    return (maxLoss ?? former?.losses ?? .usual, rejects)
  }

  /// The commands to type next.
  func next(_ program: String) -> NextCommands {
    verb == .migrate
      ? NextCommands(afterMigrating: store, program: program)
      : NextCommands(planPath, stateDirectory: stateDirectory, program: program)
  }
}

extension MigrationCommand {
  /// The options of both `run` and `resume`.
  static let options: [OptionRow<MigrationCommand>] =
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
    ] + PolicyOptions.rows.within(\MigrationCommand.policies)

  private static let runTable = OptionTable(
    command: "run",
    summary: "Carry out a plan.",
    explanation: """
      Makes the destination that a plan describes, pass by pass and in batches, within the memory \
      limit. The destination appears under its name when it is whole and on the disk, or not at all; \
      an existing one is never overwritten. A plan whose inputs have changed is refused. SIGINT, \
      SIGTERM and SIGHUP stop it within ten seconds, with what is done kept; a second one stops it at \
      once. With --json it prints a line for the plan, every stage, batch, checkpoint, pass and warning, and last one \
      for the result; with --quiet the last line alone.
      """,
    examples: [
      "bulkmigrate run --max-memory 256M": "Carry out the plan in this folder.",
      "bulkmigrate run --plan notes.plan.json": "Carry out another plan.",
      "bulkmigrate run --resume-if-started --json":
        "For a scheduler: begin, continue, or find that it is done; all with exit code 0 in the end.",
    ],
    results: [.record],
    defaults: MigrationCommand(.run),
    options: options + [
      .flag("restart", \.restarts).help(
        "Give up an interrupted migration of the same destination, and start over."
      ),
      .flag("resume-if-started", \.resumesIfStarted).help(
        "Go on with an interrupted migration; keep a receipt, and say already where it is done."
      ),
    ]
  )

  private static let resumeTable = OptionTable(
    command: "resume",
    summary: "Resume an interrupted migration.",
    explanation: """
      Continues where the last checkpoint beside the destination says, and ends with the same bytes as \
      if nothing had happened. It knows the plan and the memory limit of the interrupted run. The plan, \
      the models, the mapping and the source must be what they were; if they are not, it says so and \
      changes nothing. A migration that is shorter than one batch has no checkpoint: run it again. Prints the \
      lines that run prints with --json.
      """,
    examples: [
      "bulkmigrate resume": "Go on with the migration of the plan in this folder.",
      "bulkmigrate resume --plan notes.plan.json": "Go on with that of another plan.",
      "bulkmigrate resume --state-dir Notes-v3.sqlite.bulkmigrate":
        "Go on with what a state directory holds.",
    ],
    results: [.record],
    defaults: MigrationCommand(.resume),
    shared: [SharedOptions(of: "run", options)]
  )

  private static let migrateTable = OptionTable(
    command: "migrate",
    summary: "Bring a store to the current version of its model, in its place.",
    explanation: """
      Plans, runs, and puts the migrated store in the place of the old one, with its folder of external \
      values. The old store is kept beside it with a ~ before the extension, until it is deleted; \
      rollback goes back to it. Whenever it is interrupted, the old or the new store, each whole, is in \
      place; do it again to continue. No other program may have the store open. Nothing may be lost unless \
      --max-loss allows it.
      """,
    examples: [
      "bulkmigrate migrate Notes.sqlite --models Notes.xcdatamodeld --mappings Mappings":
        "Bring a store of any version to the current one.",
      "bulkmigrate rollback Notes.sqlite": "Go back to the store that it was.",
    ],
    results: [.record],
    defaults: MigrationCommand(.migrate),
    options: [
      .flag("no-copy", \.isInPlace).help(
        "Change the file itself, in one transaction of SQLite. Only for light changes; nothing is kept of the "
          + "old store, so rollback is impossible. Where only the schema grows no row is read, and only what is "
          + "written is checked; preflight finds damage elsewhere."
      )
    ],
    shared: [
      SharedOptions(
        of: "plan",
        (PlanRequest.mappingOptions + PlanRequest.routeOptions).within(\MigrationCommand.request)
          + PolicyOptions.rows.within(\MigrationCommand.policies)
      ),
      SharedOptions(
        of: "run",
        options.named("max-memory", "max-loss", "max-duration", "report")
      ),
    ],
    operands: [.required("STORE", "The store.", \.store)]
  )
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
