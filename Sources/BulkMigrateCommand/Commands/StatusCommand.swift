import BulkCoding
import BulkExecute
import BulkPlan
import BulkVersions

/// The arguments of `bulkmigrate status`.
struct StatusArguments: CommandArguments {
  var output = OutputOptions()
  var planPath: String?
  var stateDirectory: String?
  /// Whether to go on until no process works on it.
  var watches = false
}

/// `bulkmigrate status`: shows the state of a migration.
enum StatusCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "status",
    summary: "Show how far a running or interrupted migration is.",
    explanation: """
      Reads the state directory of a migration, whoever works on it, and changes nothing. The rows are \
      those of the last checkpoint; of a running migration also those that it has written since.
      """,
    examples: [
      Example("bulkmigrate status", "Ask about the plan in this folder."),
      Example(
        "bulkmigrate status --state-dir Notes-v3.sqlite.bulkmigrate --json",
        "Ask about a state directory, for a program."
      ),
    ],
    defaults: StatusArguments(),
    options: [
      .value("plan", "FILE", "The plan of the migration.") { $0.planPath = $1 },
      .value("state-dir", "DIR", "The state directory of the migration.") {
        $0.stateDirectory = $1
      },
      .flag(
        "watch",
        "Print a line a second, with rate, time left, memory and the age of the last checkpoint, until no "
          + "process works on it any more; then the rest as usual."
      ) { $0.watches = true },
    ]
  )

  private static func run(
    _ arguments: StatusArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    if arguments.watches { try StatusWatch { try Self.status(arguments) }.run(context.output) }
    let status = try status(arguments)
    if arguments.output.isJSON {
      try context.output.json(StatusReport(status))
    } else {
      let next = NextCommands(after: runArguments(arguments, status), program: context.program)
      try context.output.result(StatusText(status, next).lines)
    }
    return .done
  }

  private static func status(_ arguments: StatusArguments) throws -> MigrationStatus {
    if let directory = arguments.stateDirectory {
      let plan = try arguments.planPath.map { path throws(PlanError) in
        try MigrationPlan(contentsOf: path)
      }
      return MigrationStatus(StateLocation(stateDirectory: directory), of: plan)
    }
    let finder = PlanFinder(planPath: arguments.planPath, stateDirectory: nil)
    let plan = try finder.planBegun()
    let store = plan.destination.store
    return MigrationStatus(StateLocation(destination: store, stateDirectory: nil), of: plan)
  }

  /// The arguments with which `run` and `resume` find the same migration.
  private static func runArguments(
    _ arguments: StatusArguments,
    _ status: MigrationStatus
  ) -> RunArguments {
    var result = RunArguments()
    result.planPath = arguments.planPath
    result.stateDirectory =
      arguments.stateDirectory
      ?? (status.state == .interrupted && arguments.planPath == nil ? status.stateDirectory : nil)
    return result
  }
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
  /// What it does: rows, indexes, validation, waitingForRoom or publishing.
  let stage: String?
  let rowsTotal: Int64?
  /// Whether there may be fewer rows than `rowsTotal`.
  let isUpperBound: Bool
  /// Whether the store is complete and only has to be published.
  let isFinished: Bool
  let owner: StateOwner?
  /// What the passes took so far, where there are several.
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
    stage = status.stage
    rowsTotal = status.rowsTotal
    isUpperBound = status.isUpperBound
    isFinished = status.isFinished
    owner = status.owner
    passes = status.passes.isEmpty ? nil : status.passes
  }
}

/// The state of a migration as text.
struct StatusText {
  private let status: MigrationStatus
  private let commands: NextCommands

  /// The state, and the commands to continue.
  init(_ status: MigrationStatus, _ commands: NextCommands) {
    self.status = status
    self.commands = commands
  }

  /// The lines.
  var lines: [String] {
    [
      "state        \(state)",
      status.plan.map { "source       \($0.source.store)" },
      status.plan.map { "destination  \($0.destination.store)" },
      rows.map { "rows         \($0)" },
    ].compactMap(\.self) + passes
      + [
        owner.map { "process      \($0)" },
        status.isKept ? "kept in      \(status.stateDirectory)\(size)" : nil,
        next.map { "next         \($0)" },
      ].compactMap(\.self)
  }

  /// A line for each pass that was begun.
  private var passes: [String] {
    let count = status.plan?.passes.count ?? 0
    return status.passes.map { use in
      "  \(PassText.line(use, of: count))\(use.isDone ? "" : ", not done")"
    }
  }

  private var state: String {
    switch status.state {
    case .none: "no migration is under way"
    case .running: status.isFinished ? "running, about to be published" : "running"
    case .interrupted: status.isFinished ? "interrupted, whole but unpublished" : "interrupted"
    case .abandoned: "interrupted before its first checkpoint; it starts over"
    case .done: "done"
    }
  }

  private var rows: String? {
    guard let done = status.rowsWritten ?? status.rowsDone else { return nil }
    guard let total = status.rowsTotal, done <= total else {
      return "\(NumberText.grouped(done)) written"
    }
    let share =
      status.isUpperBound
      ? "at most \(NumberText.grouped(total)) written"
      : "\(NumberText.grouped(total)) written, \(NumberText.percent(done, of: total))"
    let kept =
      done == status.rowsDone
      ? "by checkpoint \(status.checkpoint ?? 0)"
      : status.checkpoint.map { "\(NumberText.grouped(status.rowsDone ?? 0)) by checkpoint \($0)" }
        ?? "no checkpoint yet"
    return "\(NumberText.grouped(done)) of \(share), \(kept)"
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
    case .interrupted: commands.resume
    case .none, .abandoned: commands.run
    case .running, .done: nil
    }
  }
}
