import BulkSupport
import BulkExecute
import BulkMigrate
import BulkPlan

extension Arguments {
  func rejects(_ context: CommandContext) throws -> ExitCode {
    if action != .show, let entity { throw UsageError.unexpected(entity) }
    try refuseMissingState()
    let location: StateLocation
    if let stateDirectory {
      location = StateLocation(stateDirectory: stateDirectory)
    } else {
      let plan = try planToRun()
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
      guard try show(folder.file(of: entity), context.output) else {
        throw Refusal(.usage, "\(entity) \(key ?? 0) was not left out")
      }
      return .done
    }
  }

  private func replay(_ folder: RejectFolder, _ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident
    let hint = "stopped; nothing has changed; the same command continues it"
    return try context.stoppable(warning: hint) { stopping, progress in
      let settings = self.settings(context, memoryLimit, base)
      var events = MigrationEvents()
      events.stopRequest = { stopping.request }
      events.report = { progress.update(TaskProgress($0)) }
      let replay = try StoreMigration(of: folder.plan(), settings).replay(of: folder, events)
      var record = try replay.run()
      record.kept = replay.kept
      progress.finish()
      let rows = "\(record.rows.grouped) rows, nothing left out"
      let line =
        "\(record.destinationPath ?? ""): \(rows); the old store is kept as \(replay.kept)"
      return try show(record, line, context.output)
    }
  }

  private func show(_ record: MigrationRecord, _ line: String, _ output: Output) throws -> ExitCode
  {
    var record = record
    (record.kind, record.exitCode) = (.replay, ExitCode.done.rawValue)
    return try output.show(record, as: .record, [line])
  }

  /// Returns whether there are such objects.
  private func show(_ path: String, _ output: Output) throws -> Bool {
    let lines = try FileLines(path)
    var isFound = key == nil
    while let line = try lines.next() {
      if let key {
        let found = (try? JSONDocument(Array(line.utf8)).root["key"])?.content
        guard case .number(let text) = found, Int64(text) == key else { continue }
        isFound = true
      }
      // A line of a file is an object, and begins with a brace.
      let format = "{\"bulkmigrate\": \"\(ResultFormat.rejectedObject.rawValue)\", "
      try output.result(output.isJSON ? format + line.dropFirst() : line)
      if output.isUnread { break }
    }
    return isFound
  }
}

extension Arguments {
  func report(_ context: CommandContext) throws -> ExitCode {
    let (record, plan) = try Self.record(of: selection())
    let proof = try proofPath.map { path throws(ProofError) in try Proof(contentsOf: path) }
    let page = ReportPage(record, plan, proof: proof)
    for warning in page.warnings { context.output.warning(warning) }
    return try OutputTarget(outputPath ?? "", .report)
      .publish(page.text, ofStore: plan.source.store, protecting: plan.stores, context.output)
  }

  private static func record(
    of selection: MigrationSelection
  ) throws -> (record: MigrationRecord, plan: MigrationPlan) {
    let status = selection.status
    if let plan = selection.plan {
      // The state may be that of another plan with the same destination.
      let left = try? RejectFolder(selection.location)?.summary.plan
      let isOfPlan = (left ?? status.plan?.fingerprint) == plan.fingerprint
      return (isOfPlan ? status : MigrationRecord(.status), plan)
    }
    guard status.isKept else {
      throw Refusal(
        .badData,
        selection.store.map {
          "\($0): it is a store; bulkmigrate plan --source makes a plan for one"
        }
          ?? "\(selection.location.path) is not a state directory of a migration; name one, or a plan"
      )
    }
    let plan = try plan(in: selection.location)
    return (MigrationRecord(selection.location, of: plan), plan)
  }

  /// The plan of a migration that is not done, that keeps a receipt, or that left objects out.
  private static func plan(in location: StateLocation) throws -> MigrationPlan {
    if let begun = MigrationRecord(location).plan { return begun }
    if let folder = try RejectFolder(location) ?? RejectFolder.replayed(location) {
      return try folder.plan()
    }
    return try MigrationPlan(contentsOf: location.planPath)
  }
}
