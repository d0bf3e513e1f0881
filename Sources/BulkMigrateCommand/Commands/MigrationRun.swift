import BulkCoding
import BulkExecute
import BulkPlan
import BulkReport

/// Carries out a plan for the command line, from the beginning or from a checkpoint.
struct MigrationRun {
  private let arguments: RunArguments
  private let context: CommandContext

  init(_ arguments: RunArguments, _ context: CommandContext) {
    self.arguments = arguments
    self.context = context
  }

  /// Finds the plan, carries it out, and reports.
  func run(_ start: Migration.Start) throws -> ExitCode {
    var report = AttemptReport()
    let events = try arguments.eventsPath.map { try EventLog($0, context.output, arguments.output) }
    do {
      let code = try run(start, &report, events)
      events?.end(report, code)
      try print(report, code)
      return code
    } catch {
      let advised = advised(error)
      report.failed(with: error, advised)
      let code = (advised as? any ErrorWithExitCode)?.exitCode ?? .failed
      events?.end(report, code)
      try print(report, code)
      throw advised
    }
  }

  private var next: NextCommands { NextCommands(after: arguments, program: context.program) }

  /// An error with the commands that can be typed next.
  private func advised(_ error: any Error) -> any Error {
    (error as? MigrationError).map { AdvisedError(error: $0, next: next) } ?? error
  }

  private func run(
    _ start: Migration.Start,
    _ report: inout AttemptReport,
    _ events: EventLog?
  ) throws -> ExitCode {
    let base = ProcessMemory.resident
    let target = arguments.reportPath.map { ReportTarget($0) }
    let finder = PlanFinder(
      planPath: arguments.planPath,
      stateDirectory: arguments.stateDirectory
    )
    let plan = start == .resume ? try finder.planBegun() : try finder.planToRun()
    try target?.refuse(besides: plan)
    report.take(plan)
    try events?.begin(plan)
    let stopping = Stopping(
      Interruption.watch(),
      after: arguments.maxDuration,
      withParent: arguments.diesWithParent
    )
    let progress = context.output.progress()
    defer { progress.finish() }
    let history = RunHistoryFile(context.environment, isKept: arguments.keepsHistory)
    let forecast = TimeForecast(after: history.read(context.output.warning), for: plan)
    if forecast != nil, let path = history.path {
      context.output.decision("times left follow earlier runs, recorded in \(path)")
    }
    progress.use(forecast)
    var migration = migration(plan)
    migration.baseMemory = base
    let measures = MeasureRecorder(
      memoryLimit: migration.memoryLimit,
      command: context.commandLine
    )
    migration.measures = measures
    migration.stopRequest = {
      ProgressRequest.answer(with: progress)
      return stopping.request
    }
    var done: [PassUse] = []
    migration.passDone = { [context, count = plan.passes.count] use in
      done.append(use)
      progress.stepAside { context.output.note(PassText.line(use, of: count)) }
      events?.note(use)
    }
    for line in DecisionText(plan).lines { context.output.decision(line) }
    migration.decided = { [context] in context.output.decision($0) }
    migration.checkpointWritten = { [context] number, rows in
      context.output.decision("checkpoint \(number) keeps \(NumberText.grouped(rows)) rows")
      events?.note(checkpoint: number, rows: rows)
    }
    migration.memoryLimitChanged = { [context] limit in
      progress.stepAside { context.output.note("memory limit \(limit) from now on") }
      events?.note(memoryLimit: limit)
    }
    migration.report = {
      progress.update(ProgressSnapshot($0))
      events?.note($0)
      ProgressRequest.answer(with: progress)
    }
    report.stateDirectory = migration.stateLocation.path
    context.output.note(
      "memory limit \(migration.memoryLimit) (\(migration.memoryLimit.bytes) bytes)"
    )
    let before = start == .begin ? nil : MigrationStatus(migration.stateLocation).rowsDone
    do {
      let outcome = try migration.run(start)
      progress.finish()
      report.take(outcome)
      RunHistory.Run(outcome, plan, measures.record).map { _ = history.add($0) }
      events?.warn(outcome)
      try printOutcome(outcome, report)
      try target?.write(ReportFacts(of: outcome, plan, measures, migration.stateLocation))
      return outcome.rejected > 0 ? .rejected : .done
    } catch MigrationError.stoppedAfterPass(let name) {
      progress.finish()
      report.stopped(MigrationStatus(migration.stateLocation), resumedAt: before)
      report.passes = done
      target?.leave(.interrupted, migration, context.output)
      context.output.warning(
        "pass \(name) is done, and others are left; continue with: \(next.resume)"
      )
      return .workLeft
    } catch MigrationError.cancelled {
      progress.finish()
      report.stopped(MigrationStatus(migration.stateLocation), resumedAt: before)
      report.passes = done.isEmpty ? nil : done
      target?.leave(.interrupted, migration, context.output)
      suggestResume(migration)
      return stopping.exitCode
    } catch let error as MigrationError {
      progress.finish()
      if case .stalePlan = error { reportChanges(since: plan) }
      target?.leave(.failed("\(error)"), migration, context.output)
      throw error
    }
  }

  private func migration(_ plan: MigrationPlan) -> Migration {
    var migration = Migration(plan)
    migration.policies = context.policies
    migration.stateDirectory = arguments.stateDirectory
    migration.lockWait = arguments.lockWait
    migration.onDiskFull = arguments.onDiskFull
    migration.timeLimit = arguments.maxDuration
    migration.keepsCheckpoints = arguments.keepsCheckpoints
    migration.batchRows = arguments.batchRows ?? migration.batchRows
    migration.threads = arguments.threads?.threads ?? migration.threads
    migration.lastPassName = arguments.pass
    migration.keepsReceipt = arguments.resumesIfStarted
    migration.memoryLimit =
      arguments.maxMemory ?? MigrationStatus(migration.stateLocation).memoryLimit
      ?? RunArguments.usualMemory
    (migration.lossLimit, migration.rejects) = arguments.limits()
    migration.limitsAfter = { [arguments] in arguments.limits(after: $0) }
    Platform.useTemporaryDirectory(arguments.temporaryDirectory ?? migration.stateLocation.path)
    return migration
  }

  /// Reports what a new plan would say differently, unless the inputs cannot be planned for any more.
  private func reportChanges(since plan: MigrationPlan) {
    let policies = context.policies
    guard let new = try? plan.plannedAgain(knowsPolicy: { policies.policy(named: $0) != nil })
    else { return }
    // The error names the inputs.
    let differences = plan.differences(to: new).filter { $0.aspect != .input }
    guard !differences.isEmpty else { return }
    context.output.note("a new plan would say:")
    for line in PlanDifferenceText(differences).lines.prefix(Self.linesOfDifferences) {
      context.output.note("  \(line)")
    }
  }

  /// As many lines as fit a screen; `plan --diff` shows all.
  private static var linesOfDifferences: Int { 20 }

  private func suggestResume(_ migration: Migration) {
    let status = MigrationStatus(migration.stateLocation)
    guard status.state == .interrupted else {
      context.output.warning("stopped; nothing was kept, and no destination was made")
      return
    }
    let rows = NumberText.grouped(status.rowsDone ?? 0)
    context.output.warning(
      "stopped with \(rows) rows kept; continue with: \(next.resume)"
    )
  }

  private func printOutcome(_ outcome: MigrationOutcome, _ report: AttemptReport) throws {
    for loss in outcome.losses { context.output.warning("lost: \(loss)") }
    for rule in outcome.uncheckedRules { context.output.warning(rule) }
    if let folder = outcome.rejectFolder {
      let count = NumberText.grouped(outcome.rejected)
      context.output.warning(
        "\(outcome.mayHaveRejectedFewer ? "at most " : "")\(count) \(outcome.rejected == 1 ? "object is" : "objects are") left out; see \(folder)"
      )
    }
    guard !arguments.output.isJSON, arguments.eventsPath != "-" else { return }
    guard let destination = outcome.destination else {
      try context.output.result("the store fits the model already: nothing was done")
      return
    }
    guard !outcome.wasDone else {
      try context.output.result("\(destination) already exists, made by this plan")
      return
    }
    guard !outcome.wasWhole else {
      try context.output.result(
        "\(destination): \(NumberText.grouped(outcome.rows)) rows, \(outcome.size), published; "
          + "an interrupted run had made it"
      )
      return
    }
    let peak = outcome.peakMemory.map { ", peak memory \($0)" } ?? ""
    try context.output.result(
      "\(destination): \(NumberText.grouped(outcome.rows)) rows, \(outcome.size), "
        + "in \(NumberText.short(.seconds(report.wallSeconds)))\(peak)"
    )
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
      memory: progress.memory,
      memoryLimit: progress.memoryLimit
    )
    followsRows = progress.stage.followsRows
  }
}
