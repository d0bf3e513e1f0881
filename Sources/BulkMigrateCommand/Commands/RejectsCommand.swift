import BulkCoding
import BulkExecute
import BulkPlan
import BulkPlatform

/// The arguments of `bulkmigrate rejects`.
struct RejectsArguments: CommandArguments {
  var output = OutputOptions()
  var planPath: String?
  var stateDirectory: String?
  var maxMemory = RunArguments.usualMemory
  /// What to do: `list`, `show` or `replay`.
  var action = "list"
  /// The source entity whose objects are shown.
  var entity: String?
  /// The key of the only object to show.
  var key: Int64?
}

/// `bulkmigrate rejects`: shows what a run left out of its destination.
enum RejectsCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "rejects",
    summary: "List, show or replay what a run with --on-error quarantine left out.",
    explanation: """
      list counts the objects by source entity. show writes their lines as they are in the file: one JSON \
      object a line, with the source object, the entity mapping, the reasons and the source values \
      (Plans/schemas/rejected-object.schema.json). Both change nothing. replay migrates them, once the mapping, a policy or \
      the values in the files were corrected: it makes the store anew as if nothing had ever failed, and puts it \
      in the place of the destination, which is kept with a ~ before its extension. Values and the keys of \
      to-one relationships may be corrected in the files; these then stay in the state directory under replayed, \
      for verify. Every line stays where it is with its key, and a value has the type of its attribute; other files are \
      refused. It refuses a destination that has changed since, and changes nothing if anything would \
      still be left out.
      """,
    examples: [
      Example("bulkmigrate rejects list", "Count what was left out of the plan in this folder."),
      Example("bulkmigrate rejects show Note", "Show every note that was left out, and why."),
      Example("bulkmigrate rejects show Note 103", "Show one of them."),
      Example("bulkmigrate rejects replay", "Bring them in, after the mapping was corrected."),
    ],
    results: [.rejects, .rejectedObject, .replay],
    defaults: RejectsArguments(),
    options: [
      .value("plan", "FILE", "The plan of the migration.") { $0.planPath = $1 },
      .value("state-dir", "DIR", "The state directory of the migration.") {
        $0.stateDirectory = $1
      },
      .value("max-memory", short: "m", "SIZE", "Memory that replay may hold.") {
        $0.maxMemory = try ByteCount(parsing: $1)
      }.usually("\(RunArguments.usualMemory)"),
    ],
    operands: [
      .optional("ACTION", "list, show or replay.") {
        let known = ["list", "show", "replay"]
        guard known.contains($1) else { throw UnknownWord($1, among: known) }
        $0.action = $1
      }.among(["list", "show", "replay"]),
      .optional("ENTITY", "The source entity to show.") { $0.entity = $1 },
      .optional("KEY", "The key of the source object.") {
        guard let key = Int64($1) else { throw UnknownWord($1, among: ["a number"]) }
        $0.key = key
      },
    ]
  )

  private static func run(
    _ arguments: RejectsArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    let location: StateLocation
    if let directory = arguments.stateDirectory {
      location = StateLocation(stateDirectory: directory)
    } else {
      let plan = try PlanFinder(planPath: arguments.planPath, stateDirectory: nil).planToRun()
      location = StateLocation(destination: plan.destination.store, stateDirectory: nil)
    }
    guard let folder = try RejectFolder(location) else {
      if arguments.action == "replay" { try RejectReplay.tidy(location) }
      if arguments.output.isJSON {
        try context.output.json(ReplayReport(), as: .replay)
      } else {
        try context.output.result("nothing was left out")
      }
      return .done
    }
    if arguments.action == "replay" { return try replay(folder, arguments, context) }
    guard arguments.action == "show" else {
      try count(folder, arguments, context)
      return .done
    }
    guard let entity = arguments.entity else { throw UsageError.missingOperand("ENTITY") }
    guard folder.summary.lines[entity] != nil else {
      throw UnknownEntity(entity, among: folder.entities)
    }
    try show(folder.file(of: entity), arguments.key, context)
    return .done
  }

  private static func count(
    _ folder: RejectFolder,
    _ arguments: RejectsArguments,
    _ context: CommandContext
  ) throws {
    guard !arguments.output.isJSON else {
      return try context.output.json(folder.summary, as: .rejects)
    }
    var table = TextTable(.left("ENTITY"), .right("ROWS"), .left("FILE"))
    for entity in folder.entities {
      let rows = folder.summary.lines[entity] ?? 0
      table.append(entity, NumberText.grouped(rows), folder.file(of: entity))
    }
    let count = NumberText.grouped(folder.summary.count)
    try context.output.result(
      table.lines() + ["", "\(folder.summary.destination): \(count) left out"]
    )
  }

  private static func replay(
    _ folder: RejectFolder,
    _ arguments: RejectsArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    let base = ProcessMemory.resident
    let stopping = Stopping(Interruption.watch(), after: nil, withParent: false)
    let progress = context.output.progress()
    defer { progress.finish() }
    let replay = RejectReplay(of: folder) { migration in
      migration.memoryLimit = arguments.maxMemory
      migration.baseMemory = base
      migration.policies = context.policies
      migration.stopRequest = { stopping.request }
      migration.report = { progress.update(ProgressSnapshot($0)) }
    }
    do {
      let outcome = try replay.run()
      progress.finish()
      let destination = folder.summary.destination
      if arguments.output.isJSON {
        try context.output.json(
          ReplayReport(destination: destination, rows: outcome.rows, kept: replay.kept),
          as: .replay
        )
      } else {
        let rows = NumberText.grouped(outcome.rows)
        try context.output.result(
          "\(destination): \(rows) rows, nothing left out; the store that it was is \(replay.kept)"
        )
      }
      return .done
    } catch MigrationError.cancelled {
      progress.finish()
      context.output.warning("stopped; nothing has changed; the same command continues it")
      return stopping.exitCode
    }
  }

  /// Writes the lines of a file, or those of one key.
  private static func show(
    _ path: String,
    _ key: Int64?,
    _ context: CommandContext
  ) throws {
    let lines = try FileLines(path)
    while let line = try lines.next() {
      if let key, !line.contains("\"key\": \(key), ") { continue }
      // A line of a file is an object, and begins with a brace.
      let format = "{\"bulkmigrate\": \"\(ResultFormat.rejectedObject.rawValue)\", "
      try context.output.result(context.output.isJSON ? format + line.dropFirst() : line)
      if context.output.isUnread { return }
    }
  }

  /// No object of an entity was left out.
  private struct UnknownEntity: ErrorWithExitCode, CustomStringConvertible {
    let exitCode = ExitCode.usage
    let description: String

    init(_ entity: String, among known: [String]) {
      description =
        "nothing of \(entity) was left out; there are objects of \(known.joined(separator: ", "))"
    }
  }
}

/// The output of `rejects replay --json`, and of `rejects` where nothing was left out.
struct ReplayReport: Encodable {
  /// The destination; absent where nothing was left out, so that nothing was done.
  var destination: String?
  /// Its rows.
  var rows: Int64?
  /// The store that it was.
  var kept: String?
  /// How many objects are left out now.
  let leftOut = 0
}
