import BulkCoding
import BulkExecute
import BulkPlan

struct StatusCommand: ParsableCommand {
  var output = OutputOptions()
  var finder = MigrationFinder()
  /// Whether to repeat it until no process works on it.
  var watches = false

  static let table = OptionTable(
    command: "status",
    summary: "Show how far a running or interrupted migration is.",
    explanation: """
      Reads the state directory of a migration by run, resume or migrate, whoever works on it, and changes nothing. \
      The rows are those of the last checkpoint; of a running migration also those that it has written since.
      """,
    examples: [
      "bulkmigrate status": "Ask about the plan in this folder.",
      "bulkmigrate status Notes-v3.sqlite.bulkmigrate --json":
        "Ask about a state directory, for a program.",
    ],
    results: [.record],
    defaults: StatusCommand(),
    options: [
      .flag("watch", \.watches).help(
        "Print a line a second, with rate, time left, memory and the age of the last checkpoint, until no "
          + "process works on it any more; then the rest as usual."
      )
    ],
    operands: [MigrationFinder.operand { $0.finder.named = $1 }]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    // A migration that ends removes its folder while it is watched.
    let place = try finder.place()
    if watches { WatchLine.repeat(context.output) { place.status } }
    guard !place.location.isClosed else {
      throw Refusal(
        .noInput,
        "\(place.location.path) cannot be read by this user, so nothing is known of the migration; ask as the user who "
          + "began it"
      )
    }
    let status = place.status
    let text = StatusText(
      status: status,
      commands: place.next(context.program, after: status),
      isInPlace: place.store != nil
    )
    return try context.output.show(status, as: .record, text.lines)
  }
}

/// The state of a migration, for people.
struct StatusText {
  let status: MigrationRecord
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
        status.rejectFolderPath.map {
          "left out     \(status.rejected.grouped), see \($0)"
        }, status.verification.map { "verified     \($0.sentence)" },
        status.violations.map { "violations   \($0)" },
        owner.map { "process      \($0)" },
        status.isKept ? "kept in      \(status.stateDirectory ?? "")\(size)" : nil,
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
    guard let done = status.rowsWritten ?? status.rowsKept else { return nil }
    guard let total = status.rowsTotal, done <= total else { return "\(done.grouped) written" }
    let most = status.isUpperBound ? "at most " : ""
    let part =
      status.share.map { ", \(NumberText.percent($0)) done" }
      ?? (status.isUpperBound ? "" : ", \(NumberText.percent(done, of: total))")
    let kept =
      done == status.rowsKept
      ? "by checkpoint \(status.checkpoint ?? 0)"
      : status.checkpoint.map { "\((status.rowsKept ?? 0).grouped) by checkpoint \($0)" }
        ?? "no checkpoint yet"
    return "\(done.grouped) of \(most)\(total.grouped) written\(part), \(kept)"
  }

  private var owner: String? {
    guard let owner = status.owner else { return nil }
    let memory = ByteCount(bytes: owner.memoryLimit)
    return "\(owner.process) on \(owner.host), begun \(owner.since), memory limit \(memory)"
  }

  private var size: String {
    status.stateBytes.map { $0 > 0 ? " (\(ByteCount(bytes: $0)))" : "" } ?? ""
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
