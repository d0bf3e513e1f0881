import BulkCoding
import BulkExecute
import BulkMigrate
import BulkPlan
import BulkPlatform

struct RejectsCommand: ParsableCommand, PolicyArguments {
  enum Action: String, CaseIterable, OptionValue { case list, show, replay }

  var output = OutputOptions()
  var policies = PolicyOptions()
  var planPath: String?
  var stateDirectory: String?
  var maxMemory = MigrationCommand.usualMemory
  var action = Action.list
  /// The source entity whose objects are shown.
  var entity: String?
  /// The key of the only object to show.
  var key: Int64?

  static let table = OptionTable(
    command: "rejects",
    summary: "List, show or replay what a run with --on-error quarantine left out.",
    explanation: """
      list counts the objects by source entity. show writes their lines as they are in the file: one JSON \
      object a line, with the source object, the entity mapping, the reasons and the source values \
      (Plans/schemas/rejected-object.schema.json). Both change nothing. replay migrates them, once the mapping, a policy or \
      the values in the files were corrected: it rebuilds the store as if nothing had ever failed, and puts it \
      in the place of the destination, which is kept with a ~ before its extension. Values and the keys of \
      to-one relationships may be corrected in the files; these then stay in the state directory under replayed, \
      for verify. Every line stays where it is with its key, and a value has the type of its attribute; other files are \
      refused. It refuses a destination that has changed since, and changes nothing if anything would \
      still be left out.
      """,
    examples: [
      "bulkmigrate rejects list": "Count what was left out of the plan in this folder.",
      "bulkmigrate rejects show Note": "Show every note that was left out, and why.",
      "bulkmigrate rejects show Note 103": "Show one of them.",
      "bulkmigrate rejects replay": "Bring them in, after the mapping was corrected.",
    ],
    results: [.rejects, .rejectedObject, .record],
    defaults: RejectsCommand(),
    options: PolicyOptions.rows.within(\RejectsCommand.policies) + [
      .value("plan", "FILE", \.planPath).help("The plan of the migration."),
      .value("state-dir", "DIR", \.stateDirectory).help("The state directory of the migration."),
      .value("max-memory", short: "m", "SIZE", \.maxMemory).help("Memory that replay may hold."),
    ],
    operands: [
      .optional("ACTION", "list, show or replay.", \.action),
      .optional("ENTITY", "The source entity to show.", \.entity),
      .optional("KEY", "The key of the source object.") {
        guard let key = Int64($1) else { throw UsageError($1, among: ["a number"]) }
        $0.key = key
      },
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    let location: StateLocation
    if let stateDirectory {
      location = StateLocation(stateDirectory: stateDirectory)
    } else {
      let plan = try PlanFinder(planPath: planPath).planToRun()
      location = StateLocation(destination: plan.destination.store, stateDirectory: nil)
    }
    guard let folder = try RejectFolder(location) else {
      if action == .replay { try RejectReplay.tidy(location) }
      return try show(.nothing, "nothing was left out", context.output)
    }
    switch action {
    case .list: return try context.output.show(folder.summary, as: .rejects, folder.lines)
    case .replay: return try replay(folder, context)
    case .show:
      guard let entity else { throw UsageError.missingOperand("ENTITY") }
      guard folder.summary.lines[entity] != nil else {
        let known = folder.entities.joined(separator: ", ")
        throw Refusal(.usage, "nothing of \(entity) was left out; there are objects of \(known)")
      }
      try show(folder.file(of: entity), context.output)
      return .done
    }
  }

  private func replay(_ folder: RejectFolder, _ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident
    let hint = "stopped; nothing has changed; the same command continues it"
    return try context.stoppable(warning: hint) { stopping, progress in
      let settings = context.settings(maxMemory, base)
      var events = MigrationEvents()
      events.stopRequest = { stopping.request }
      events.report = { progress.update(TaskProgress($0)) }
      let replay = try StoreMigration(of: folder.plan(), settings).replay(of: folder, events)
      var record = try replay.run()
      record.kept = replay.kept
      progress.finish()
      let rows = "\(record.rows.grouped) rows, nothing left out"
      let line =
        "\(record.destinationPath ?? ""): \(rows); the store that it was is \(replay.kept)"
      return try show(record, line, context.output)
    }
  }

  private func show(_ record: MigrationRecord, _ line: String, _ output: Output) throws -> ExitCode
  {
    var record = record
    (record.kind, record.exitCode) = (.replay, ExitCode.done.rawValue)
    return try output.show(record, as: .record, [line])
  }

  /// Writes the lines of a file, or those of the key.
  private func show(_ path: String, _ output: Output) throws {
    let lines = try FileLines(path)
    while let line = try lines.next() {
      if let key, !line.contains("\"key\": \(key), ") { continue }
      // A line of a file is an object, and begins with a brace.
      let format = "{\"bulkmigrate\": \"\(ResultFormat.rejectedObject.rawValue)\", "
      try output.result(output.isJSON ? format + line.dropFirst() : line)
      if output.isUnread { return }
    }
  }
}
