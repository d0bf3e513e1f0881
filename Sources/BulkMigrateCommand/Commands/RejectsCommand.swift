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
  var entity: String?
  var key: Int64?

  static let table = OptionTable<RejectsCommand>(
    "rejects",
    results: [.rejects, .rejectedObject, .record],
    options: PolicyOptions.rows.within(\RejectsCommand.policies) + [
      .value("plan", \.planPath),
      .value("state-dir", \.stateDirectory),
      .value("max-memory", \.maxMemory),
    ],
    operands: [
      .optional("ACTION", \.action),
      .optional("ENTITY", \.entity),
      .optional("KEY", \.key),
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
