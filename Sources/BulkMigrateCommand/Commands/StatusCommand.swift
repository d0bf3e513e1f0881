import BulkCoding
import BulkExecute
import BulkPlan

/// `bulkmigrate status`: shows the state of a migration.
struct StatusCommand: ParsableCommand {
  var output = OutputOptions()
  var finder = MigrationFinder()
  /// Whether to repeat it until no process works on it.
  var watches = false
  /// Whether the record of earlier runs is read.
  var readsHistory = true

  static let table = OptionTable(
    command: "status",
    summary: "Show how far a running or interrupted migration is.",
    explanation: """
      Reads the state directory of a migration by run, resume or migrate, whoever works on it, and changes nothing. \
      The rows are those of the last checkpoint; of a running migration also those that it has written since.
      """,
    examples: [
      Example("bulkmigrate status", "Ask about the plan in this folder."),
      Example(
        "bulkmigrate status --state-dir Notes-v3.sqlite.bulkmigrate --json",
        "Ask about a state directory, for a program."
      ),
    ],
    results: [.status],
    defaults: StatusCommand(),
    options: MigrationFinder.options.within(\StatusCommand.finder) + [
      .flag(
        "watch",
        "Print a line a second, with rate, time left, memory and the age of the last checkpoint, until no "
          + "process works on it any more; then the rest as usual."
      ) { $0.watches = true },
      .flag(
        "no-history",
        "With --watch, do not read the record of earlier runs, by which times left are told."
      ) { $0.readsHistory = false },
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    // A migration that ends removes its folder while it is watched.
    let place = try finder.place()
    if watches {
      let history = RunHistoryFile(context.environment, isKept: readsHistory)
      var watch = StatusWatch(after: history.read(context.output.warning)) { place.status }
      try watch.run(context.output)
    }
    guard !place.location.isClosed else {
      throw Refusal(
        .noInput,
        "\(place.location.path) cannot be read by this user, so nothing is known of the migration; ask as the user who "
          + "began it"
      )
    }
    let status = place.status
    let next =
      place.store == nil
      ? NextCommands(after: runArguments(status), program: context.program)
      : place.next(context.program)
    let text = StatusText(status: status, commands: next, isInPlace: place.store != nil)
    return try context.output.show(StatusReport(status), as: .status, text.lines)
  }

  /// The arguments with which `run` and `resume` find the same migration.
  private func runArguments(_ status: MigrationStatus) -> RunArguments {
    var result = RunArguments()
    result.planPath = finder.planPath
    result.stateDirectory =
      finder.stateDirectory
      ?? (status.state == .interrupted && finder.planPath == nil ? status.stateDirectory : nil)
    return result
  }
}

extension MigrationFinder.Place {
  /// The current state of the migration.
  fileprivate var status: MigrationStatus { MigrationStatus(location, of: plan) }
}

/// The output of `status --json`.
struct StatusReport: Encodable {
  let state: MigrationStatus.State
  let stateDirectory: String
  let stateBytes: Int64
  let destination: String?
  let plan: String?
  let checkpoint: Int64?
  let rowsDone: Int64?
  /// The rows that a running process has written, those after the last checkpoint included.
  let rowsWritten: Int64?
  /// The share of all work that a running process has done, from 0 to 1.
  let share: Double?
  /// The stage: rows, indexes, validation, waitingForRoom or publishing.
  let stage: String?
  let rowsTotal: Int64?
  /// Whether there may be fewer rows than `rowsTotal`.
  let isUpperBound: Bool
  /// Whether the store is complete and only has to be published.
  let isFinished: Bool
  /// Whether there are checkpoints but none can be used; absent if not.
  let isDamaged: Bool?
  /// The objects that were left out of a destination that is done; absent if there are none.
  let rejected: Int64?
  /// The violations for which no destination was made; absent if there are none.
  let violations: String?
  let owner: StateOwner?
  /// Whether a running process was asked to wait; absent if not.
  let paused: Bool?
  /// When it was asked to wait, as ISO 8601 in UTC; absent where a fleet asked.
  let pausedSince: String?
  /// The bytes a second that a running process writes at most; absent without such a limit.
  let bytesPerSecond: Int64?
  /// The measures of the passes so far, where there are several.
  let passes: [PassUse]?

  init(_ status: MigrationStatus) {
    state = status.state
    stateDirectory = status.stateDirectory
    stateBytes = status.size.bytes
    destination = status.plan?.destination.store
    plan = status.plan?.fingerprint
    checkpoint = status.checkpoint
    rowsDone = status.rowsDone
    rowsWritten = status.rowsWritten
    share = status.share
    stage = status.stage
    rowsTotal = status.rowsTotal
    isUpperBound = status.isUpperBound
    isFinished = status.isFinished
    isDamaged = status.isDamaged ? true : nil
    rejected = status.rejected
    violations = status.violations
    owner = status.owner
    paused = status.control?.isPaused == true ? true : nil
    pausedSince = status.control?.pausedSince
    bytesPerSecond = status.control?.bytesPerSecond
    passes = status.passes.isEmpty ? nil : status.passes
  }
}

/// The state of a migration, for people.
struct StatusText {
  let status: MigrationStatus
  /// The commands to continue.
  let commands: NextCommands
  /// Whether a store is migrated in its place.
  let isInPlace: Bool

  var lines: [String] {
    [
      "state        \(state)",
      status.plan.map { "source       \($0.source.store)" },
      isInPlace ? nil : status.plan.map { "destination  \($0.destination.store)" },
      rows.map { "rows         \($0)" },
    ].compactMap(\.self) + passes
      + [
        status.rejectFolder.map {
          "left out     \((status.rejected ?? 0).grouped), see \($0)"
        }, status.violations.map { "violations   \($0)" },
        owner.map { "process      \($0)" },
        status.isKept ? "kept in      \(status.stateDirectory)\(size)" : nil,
        next.map { "next         \($0)" },
      ].compactMap(\.self)
  }

  /// A line for each pass that was begun.
  private var passes: [String] {
    status.passes.map { use in
      "  \(use.line(of: status.passCount))\(use.isDone ? "" : ", not done")"
    }
  }

  private var state: String {
    switch status.state {
    case .none where status.violations != nil:
      "failed: objects break rules of the model, or cannot be computed; no destination was made"
    case .none: "no migration is under way"
    case .running: (status.isFinished ? "running, about to be published" : "running") + requests
    case .interrupted: status.isFinished ? "interrupted, whole but unpublished" : "interrupted"
    case .abandoned:
      status.isDamaged
        ? "interrupted, and no checkpoint can be used; it starts over"
        : "interrupted before its first checkpoint; it starts over"
    case .done: "done"
    }
  }

  /// What the running process was asked for.
  private var requests: String {
    (status.control?.phrases ?? []).map { ", \($0)" }.joined()
  }

  private var rows: String? {
    guard let done = status.rowsWritten ?? status.rowsDone else { return nil }
    guard let total = status.rowsTotal, done <= total else { return "\(done.grouped) written" }
    let most = status.isUpperBound ? "at most " : ""
    let part =
      status.share.map { ", \(NumberText.percent($0)) done" }
      ?? (status.isUpperBound ? "" : ", \(NumberText.percent(done, of: total))")
    let kept =
      done == status.rowsDone
      ? "by checkpoint \(status.checkpoint ?? 0)"
      : status.checkpoint.map { "\((status.rowsDone ?? 0).grouped) by checkpoint \($0)" }
        ?? "no checkpoint yet"
    return "\(done.grouped) of \(most)\(total.grouped) written\(part), \(kept)"
  }

  private var owner: String? {
    guard let owner = status.owner else { return nil }
    let memory = ByteCount(bytes: owner.memoryLimit)
    return "\(owner.process) on \(owner.host), begun \(owner.since), memory limit \(memory)"
  }

  private var size: String {
    status.size > .zero ? " (\(status.size))" : ""
  }

  private var next: String? {
    switch status.state {
    case .interrupted where status.plan?.source.seemsChanged == true:
      "\(commands.resume); if the source has other contents now, a new plan, and \(commands.restart)"
    case .interrupted: commands.resume
    case .none where status.violations != nil && !isInPlace:
      "\(commands.run) --on-error quarantine, which leaves these objects out"
    case .none: commands.run
    case .abandoned: status.isDamaged ? commands.restart : commands.run
    case .running, .done: nil
    }
  }
}
