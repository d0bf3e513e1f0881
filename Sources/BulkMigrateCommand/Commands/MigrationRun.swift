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
    var report = AttemptReport()
    let output = context.output
    let log = output.isJSON && !output.isQuiet ? EventLog(output) : nil
    do {
      let code = try run(start, &report, log)
      try print(report, code)
      return code
    } catch {
      let advised = advised(error)
      report.failed(with: error, advised)
      let code = (advised as? any ErrorWithExitCode)?.exitCode ?? .failed
      try print(report, code)
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
    _ report: inout AttemptReport,
    _ log: EventLog?
  ) throws -> ExitCode {
    let base = ProcessMemory.resident
    let finder = PlanFinder(planPath: arguments.planPath, stateDirectory: arguments.stateDirectory)
    let plan = start == .resume ? try finder.planBegun() : try finder.planToRun()
    let attended = AttendedRun(arguments, context, base: base)
    let (progress, target) = (attended.progress, attended.report)
    defer { progress.finish() }
    try target?.refuse(besides: plan)
    report.take(plan)
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
    report.stateDirectory = location.path
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
    let before = start == .begin ? nil : MigrationStatus(location).rowsDone
    do {
      let outcome = try migration.carryOut(plan, start, events)
      progress.finish()
      report.take(outcome)
      log?.warn(outcome)
      let facts = ReportFacts(of: outcome, plan, events.measures, location)
      showEntities(facts, outcome)
      try printOutcome(outcome, report)
      try target?.write(facts)
      return outcome.rejected > 0 ? .rejected : .done
    } catch MigrationError.cancelled {
      progress.finish()
      report.stopped(MigrationStatus(location), resumedAt: before)
      report.passes = done.isEmpty ? nil : done
      attended.leave(.interrupted, plan, events, at: location)
      suggestResume(location)
      return attended.stopping.exitCode
    } catch let error as MigrationError {
      progress.finish()
      if case .stalePlan = error { reportChanges(since: plan) }
      try Refusal.refuseDone(error, location, plan)
      attended.leave(.failed(by: error), plan, events, at: location)
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

  private func suggestResume(_ location: StateLocation) {
    let status = MigrationStatus(location)
    guard status.state == .interrupted else {
      context.output.warning("stopped; nothing was kept, and no destination was made")
      return
    }
    let kept = status.rowsDone.flatMap { $0 > 0 ? "with \($0.grouped) rows kept" : nil }
    context.output.warning(
      "stopped \(kept ?? "before a row was kept"); continue with: \(next.resume)"
    )
  }

  /// Shows what became of every entity, to people who look on.
  private func showEntities(_ facts: ReportFacts, _ outcome: MigrationOutcome) {
    guard context.output.reportsDecisions || context.output.isSeen, !outcome.wasDone,
      outcome.destinationPath != nil
    else { return }
    for line in facts.entityTable { context.output.note(line) }
  }

  private func printOutcome(_ outcome: MigrationOutcome, _ report: AttemptReport) throws {
    for loss in outcome.losses { context.output.warning("lost: \(loss)") }
    for rule in outcome.uncheckedRules { context.output.warning(rule) }
    if let folder = outcome.rejectFolderPath {
      context.output.warning(
        "\(outcome.rejected.grouped) \(outcome.rejected == 1 ? "object is" : "objects are") left out; see \(folder)"
      )
    }
    guard !arguments.output.isJSON else { return }
    guard let destination = outcome.destinationPath else {
      return try context.output.result("the store fits the model already: nothing was done")
    }
    guard !outcome.wasDone else {
      return try context.output.result(["\(destination) already exists, made by this plan"])
    }
    let peak = outcome.peakMemory.map { ", peak memory \($0)" } ?? ""
    let how =
      outcome.wasWhole
      ? "published; an interrupted run had made it"
      : "in \(Duration.seconds(report.wallSeconds).short)\(peak)"
    try context.output.result([
      "\(destination): \(outcome.rows.grouped) rows, \(outcome.size), \(how)"
    ])
  }

  /// With `--json`, the last line of standard output reports everything.
  private func print(_ report: AttemptReport, _ code: ExitCode) throws {
    guard arguments.output.isJSON else { return }
    var report = report
    report.exitCode = code.rawValue
    report.takeUse()
    try context.output.jsonLine(report, as: .attempt)
  }
}

extension ProgressSnapshot {
  init(_ progress: MigrationProgress) {
    self.init(
      step: progress.step,
      stepCount: progress.stepCount,
      pass: progress.pass,
      passName: progress.passName,
      passCount: progress.passCount,
      stage: progress.stage.rawValue,
      rowsDone: progress.rowsDone,
      rowsTotal: progress.rowsTotal,
      isUpperBound: progress.isUpperBound,
      share: progress.share,
      memory: progress.memory,
      memoryLimit: progress.memoryLimit
    )
    if let done = progress.filesDone, let total = progress.filesTotal {
      files = Files(done: done, total: total)
    }
  }
}
