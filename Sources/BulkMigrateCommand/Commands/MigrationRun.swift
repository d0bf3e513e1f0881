import BulkCoding
import BulkExecute
import BulkMigrate
import BulkPlan
import BulkReport

/// Carries out a plan for the command line, from the beginning or from a checkpoint.
struct MigrationRun {
  let arguments: RunArguments
  let context: CommandContext

  func run(_ start: Migration.Start) throws -> ExitCode {
    var record = MigrationRecord()
    let output = context.output
    let log = output.isJSON && !output.isQuiet ? EventLog(output) : nil
    do {
      let code = try run(start, &record, log)
      try print(record, code)
      return code
    } catch {
      let advised = advised(error)
      record.fail(error, message: "\(advised)")
      let code = (advised as? any ErrorWithExitCode)?.exitCode ?? .failed
      try print(record, code)
      throw advised
    }
  }

  private var next: NextCommands { NextCommands(after: arguments, program: context.program) }

  private func advised(_ error: any Error) -> any Error {
    (error as? MigrationError).map { AdvisedError(error: $0, next: next, hasQuarantine: true) }
      ?? error
  }

  private func run(
    _ start: Migration.Start,
    _ record: inout MigrationRecord,
    _ log: EventLog?
  ) throws -> ExitCode {
    let base = ProcessMemory.resident
    let finder = PlanFinder(planPath: arguments.planPath, stateDirectory: arguments.stateDirectory)
    let plan = start == .resume ? try finder.planBegun() : try finder.planToRun()
    let attended = AttendedRun(arguments, context, base: base)
    let (progress, target) = (attended.progress, attended.report)
    defer { progress.finish() }
    try target?.refuse(besides: plan)
    record.take(plan)
    log?.begin(plan)
    let settings = settings(of: attended, for: plan)
    let migration = StoreMigration(of: plan, settings)
    let location = migration.stateLocation
    Platform.useTemporaryDirectory(location.path)
    var events = attended.watch(settings.memoryLimit, log: log)
    var done: [PassUse] = []
    events.passDone = { [context] use, count in
      done.append(use)
      progress.stepAside { context.output.note(use.line(of: count)) }
      log?.note(use)
    }
    if let salvage = plan.source.salvage, log == nil { context.output.warning(salvage) }
    context.output.decisions(of: plan)
    events.checkpointWritten = { [context] number, rows in
      context.output.decision("checkpoint \(number) keeps \(rows.grouped) rows")
      log?.note(checkpoint: number, rows: rows)
    }
    record.stateDirectory = location.path
    // A run that is refused has no use for it.
    var isLimitTold = false
    let showProgress = events.report
    events.report = { [context] in
      if !isLimitTold {
        progress.stepAside { context.output.note("memory limit \(settings.memoryLimit)") }
      }
      isLimitTold = true
      showProgress($0)
    }
    let before = start == .begin ? nil : MigrationRecord(location).rowsKept
    do {
      record = try migration.carryOut(plan, start, events)
      progress.finish()
      record.take(plan)
      record.stateDirectory = location.path
      record.take(record.wasDone ? MigrationRecord(location).measures : events.measures?.record)
      log?.warn(record)
      let page = ReportPage(record, plan)
      showEntities(page)
      try printOutcome(record)
      try target?.write(page)
      return record.rejected > 0 ? .rejected : .done
    } catch MigrationError.cancelled {
      progress.finish()
      record = MigrationRecord(location, of: plan)
      (record.kind, record.outcome, record.rowsBefore) = (.attempt, .stopped, before)
      record.rowsOfAttempt = max(0, record.rows - (before ?? 0))
      if !done.isEmpty { record.passes = done }
      attended.leave(record, plan, events)
      suggestResume(record)
      return attended.stopping.exitCode
    } catch let error as MigrationError {
      progress.finish()
      if case .stalePlan = error { reportChanges(since: plan) }
      try Refusal.refuseDone(error, location, plan)
      var left = MigrationRecord(location)
      left.fail(error, message: "\(error)")
      attended.leave(left, plan, events)
      throw error
    }
  }

  private func settings(of attended: AttendedRun, for plan: MigrationPlan) -> MigrationSettings {
    var settings = attended.settings(
      StateLocation(destination: plan.destination.store, stateDirectory: arguments.stateDirectory)
    )
    settings.stateDirectory = arguments.stateDirectory
    settings.keepsReceipt = arguments.resumesIfStarted
    (settings.lossLimit, settings.rejects) = arguments.limits()
    settings.limitsAfter = { [arguments] in arguments.limits(after: $0) }
    return settings
  }

  /// Reports the differences of a new plan, unless the inputs can no longer be planned.
  private func reportChanges(since plan: MigrationPlan) {
    guard let new = try? plan.plannedAgain(knowsPolicy: context.knowsPolicy) else { return }
    // The error names the inputs.
    let differences = plan.differences(to: new).filter { $0.aspect != .input }
    guard !differences.isEmpty else { return }
    context.output.note("a new plan would say:")
    for line in differences.lines.prefix(Self.linesOfDifferences) {
      context.output.note("  \(line)")
    }
  }

  /// As many lines as fit a screen; `plan --diff` shows all.
  private static var linesOfDifferences: Int { 20 }

  private func suggestResume(_ record: MigrationRecord) {
    guard record.state == .interrupted else {
      context.output.warning("stopped; nothing was kept, and no destination was made")
      return
    }
    let kept = record.rows > 0 ? "with \(record.rows.grouped) rows kept" : "before a row was kept"
    context.output.warning("stopped \(kept); continue with: \(next.resume)")
  }

  /// Shows what became of every entity, to people who look on.
  private func showEntities(_ page: ReportPage) {
    guard context.output.reportsDecisions || context.output.isSeen, !page.record.wasDone,
      page.record.destinationPath != nil
    else { return }
    for line in page.entityTable { context.output.note(line) }
  }

  private func printOutcome(_ record: MigrationRecord) throws {
    for loss in record.losses { context.output.warning("lost: \(loss)") }
    for rule in record.uncheckedRules { context.output.warning(rule) }
    if let folder = record.rejectFolderPath {
      context.output.warning(
        "\(record.rejected.grouped) \(record.rejected == 1 ? "object is" : "objects are") left out; see \(folder)"
      )
    }
    guard !arguments.output.isJSON else { return }
    guard let destination = record.destinationPath else {
      return try context.output.result("the store fits the model already: nothing was done")
    }
    guard !record.wasDone else {
      return try context.output.result(["\(destination) already exists, made by this plan"])
    }
    let peak = record.peakMemory.map { ", peak memory \($0)" } ?? ""
    let how =
      record.wasWhole
      ? "published; an interrupted run had made it"
      : "in \(Platform.timeSinceStart.short)\(peak)"
    try context.output.result([
      "\(destination): \(record.rows.grouped) rows, \(record.size), \(how)"
    ])
  }

  /// With `--json`, the last line of standard output reports everything.
  private func print(_ record: MigrationRecord, _ code: ExitCode) throws {
    if arguments.output.isJSON { try context.output.end(record, code) }
  }
}

extension Output {
  /// Writes how an attempt has ended, as a line.
  func end(_ record: MigrationRecord, _ code: ExitCode) throws {
    var record = record
    record.exitCode = code.rawValue
    record.takeUse(Platform.timeSinceStart)
    try jsonLine(record, as: .record)
  }
}

extension CommandContext {
  /// Runs a body that makes a document; with `--json` an error is a document too.
  func reporting(_ store: String?, _ body: () throws -> ExitCode) throws -> ExitCode {
    do {
      return try body()
    } catch {
      if output.isJSON, !(error is UsageError) {
        var record = MigrationRecord()
        record.store = store
        record.fail(error, message: "\(error)")
        try output.end(record, (error as? any ErrorWithExitCode)?.exitCode ?? .failed)
      }
      throw error
    }
  }
}
