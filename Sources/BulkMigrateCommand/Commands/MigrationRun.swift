import BulkSupport
import BulkExecute
import BulkMigrate
import BulkPlan

/// Carries out a migration for the command line: from a plan or from a checkpoint into another file, or in its place.
final class MigrationRun {
  private let arguments: Arguments
  private let context: CommandContext
  /// The memory that the process held when its command began.
  private let base = ProcessMemory.resident
  private let stopping: Stopping
  private let progress: TerminalProgress
  private let report: OutputTarget?
  private let log: EventLog?
  private var location: StateLocation
  private var plan: MigrationPlan?
  private var record = MigrationRecord()
  private var passes: [PassUse] = []
  private var measures: MeasureRecord?

  init(_ arguments: Arguments, _ context: CommandContext) {
    (self.arguments, self.context) = (arguments, context)
    stopping = Stopping(after: arguments.maxDuration, withParent: arguments.diesWithParent)
    progress = context.output.progress()
    report = arguments.reportPath.map { OutputTarget($0, .report) }
    let hasEvents = arguments.verb != .migrate && context.output.isJSON && !context.output.isQuiet
    log = hasEvents ? EventLog(context.output) : nil
    location = InPlaceMigration.stateLocation(of: arguments.store)
  }

  /// Carries it out; with `--json`, the last line of standard output reports everything.
  func carryOut() throws -> ExitCode {
    do {
      let code = try attempt()
      try end(code)
      return code
    } catch let error as UsageError {
      throw error
    } catch {
      let advised: any Error =
        (error as? MigrationError).map {
          Refusal($0, next, hasQuarantine: arguments.verb != .migrate)
        } ?? error
      record.fail(error, message: "\(advised)")
      try end(ExitCode(of: advised))
      throw advised
    }
  }

  private var next: NextCommands {
    arguments.verb == .migrate
      ? NextCommands(afterMigrating: arguments.store, program: context.program)
      : NextCommands(
        arguments.planPath,
        stateDirectory: arguments.stateDirectory,
        program: context.program
      )
  }

  private func end(_ code: ExitCode) throws {
    if context.output.isJSON { try context.output.end(record, code) }
  }

  private func attempt() throws -> ExitCode {
    defer { progress.finish() }
    let work = try arguments.verb == .migrate ? replacement() : planned()
    let before = arguments.start == .begin ? nil : MigrationRecord(location).rowsKept
    do {
      record = try work(events())
      progress.finish()
      return try finish()
    } catch MigrationError.cancelled {
      progress.finish()
      record = MigrationRecord(location, of: plan)
      (record.kind, record.outcome, record.rowsBefore) = (.attempt, .stopped, before)
      record.rowsOfAttempt = max(0, record.rows - (before ?? 0))
      if arguments.verb == .migrate { record.store = arguments.store }
      if !passes.isEmpty { record.passes = passes }
      leave(record)
      suggestResume()
      return stopping.exitCode
    } catch let error as MigrationError {
      progress.finish()
      if arguments.verb != .migrate, let plan {
        if case .stalePlan = error { reportChanges(since: plan) }
        try Refusal.refuseDone(error, location, plan)
      }
      var left = MigrationRecord(location)
      left.fail(error, message: "\(error)")
      leave(left)
      throw error
    }
  }

  // MARK: Beginning

  private typealias Work = (MigrationEvents) throws -> MigrationRecord
  private var settings = MigrationSettings()

  private func planned() throws -> Work {
    let plan = try arguments.verb == .resume ? arguments.planBegun() : arguments.planToRun()
    self.plan = plan
    // Its new store is not the one that the user means.
    guard !InPlaceMigration.hasMade(plan) else {
      throw Refusal(
        .usage,
        "it replaces \(plan.source.store): \(context.program) migrate \(plan.source.store) goes on with it"
      )
    }
    try report?.refuse(protecting: plan.stores)
    record.take(plan)
    log?.begin(plan)
    location = StateLocation(
      destination: plan.destination.store,
      stateDirectory: arguments.stateDirectory
    )
    takeSettings()
    settings.stateDirectory = arguments.stateDirectory
    settings.keepsReceipt = arguments.resumesIfStarted
    settings.limitsAfter = { [arguments] in arguments.limits(after: $0) }
    Platform.useTemporaryDirectory(location.path)
    if let salvage = plan.source.salvage, log == nil { context.output.warning(salvage) }
    context.output.decisions(of: plan)
    record.stateDirectory = location.path
    return { [self] in
      try StoreMigration(of: plan, settings).carryOut(plan, arguments.start, $0)
    }
  }

  private func replacement() throws -> Work {
    record.store = arguments.store
    let kept = arguments.isInPlace ? [] : [InPlaceMigration.keptStore(of: arguments.store)]
    try report?.refuse(protecting: [FilePath.absolute(arguments.store)] + kept)
    var request = arguments.request
    guard !arguments.isInPlace || request.strategy != .rebuild && !request.rebuilds else {
      throw UsageError(
        "--no-copy changes the file in its place, and --strategy rebuild makes another one"
      )
    }
    request.report = { [progress] in progress.update(TaskProgress($0)) }
    takeSettings()
    let migration = StoreMigration(inPlace: arguments.store, request, settings)
    return { [self] in
      try arguments.isInPlace ? migration.alter($0) : migration.replace($0)
    }
  }

  private func takeSettings() {
    let limit = arguments.maxMemory ?? MigrationRecord(location).memoryLimit
    settings = arguments.settings(context, limit ?? Arguments.usualMemory, base)
    (settings.lossLimit, settings.rejects) = arguments.limits()
    settings.timeLimit = arguments.maxDuration
  }

  /// Watches signals from now on, and shows what the run does.
  ///
  /// While the source is only read, a signal ends the process and nothing is lost.
  private func events() -> MigrationEvents {
    Interruption.watch()
    var events = MigrationEvents()
    events.command = context.commandLine
    events.measured = { [self] in measures = $0 }
    events.planned = { [self] in begin($0) }
    events.stopRequest = { [progress, stopping] in
      ProgressRequest.answer(with: progress)
      return stopping.request
    }
    events.decided = { [context] in context.output.decision($0) }
    events.requested = { [context, progress] control in
      let text = control.phrases.joined(separator: ", ")
      let next = control.isPaused ? "; it waits until control --resume" : ""
      progress.stepAside { context.output.note(text.isEmpty ? "goes on" : text + next) }
    }
    events.passDone = { [self] use, count in
      passes.append(use)
      guard arguments.verb != .migrate else { return }
      progress.stepAside { context.output.note(use.line(of: count)) }
      log?.note(use)
    }
    events.checkpointWritten = { [context, log] number, rows in
      context.output.decision("checkpoint \(number) keeps \(rows.grouped) rows")
      log?.note(checkpoint: number, rows: rows)
    }
    // A run that is refused has no use for it.
    var isLimitTold = arguments.verb == .migrate
    events.report = { [context, progress, log, settings] in
      if !isLimitTold {
        progress.stepAside { context.output.note("memory limit \(settings.memoryLimit)") }
      }
      isLimitTold = true
      progress.update(TaskProgress($0))
      log?.note($0)
      ProgressRequest.answer(with: progress)
    }
    return events
  }

  /// Prints the warnings of a plan that was made for this run before any work, because nobody reads it.
  private func begin(_ found: MigrationPlan) {
    guard arguments.verb == .migrate else { return }
    plan = found
    let output = context.output
    if arguments.isInPlace {
      output.warning(
        "\(arguments.store) itself is changed; nothing is kept of the old store, and rollback cannot go back"
      )
    }
    for warning in found.warnings { output.warning(warning) }
    if settings.lossLimit.allows(found.losses.certain) {
      for loss in found.losses { output.warning("will be lost: \(loss)") }
    }
    output.decisions(of: found)
  }

  // MARK: Ending

  private func finish() throws -> ExitCode {
    if let plan {
      record.take(plan)
      record.stateDirectory = location.path
      record.take(record.wasDone ? MigrationRecord(location).measures : measures)
    }
    if arguments.verb == .migrate { record.store = arguments.store }
    log?.warn(record)
    let page = plan.map { ReportPage(record, $0) }
    if let page { showEntities(page) }
    printWarnings()
    if arguments.verb == .migrate {
      record.warnings = plan?.warnings ?? []
      if plan?.source.isUnread == true { record.rows = 0 }
    }
    if !context.output.isJSON { try context.output.result([outcome]) }
    if let page {
      try write(page)
    } else if report != nil {
      context.output.note("nothing was done, so no report is written")
    }
    return record.rejected > 0 ? .rejected : .done
  }

  private func printWarnings() {
    // Those of the first leg were told before it began.
    let told = arguments.verb == .migrate ? plan?.ranges.first?.upperBound ?? .max : 0
    for loss in record.losses where loss.step > told { context.output.warning("lost: \(loss)") }
    for rule in record.uncheckedRules { context.output.warning(rule) }
    if let folder = record.rejectFolderPath {
      context.output.warning(
        "\(record.rejected.phrase("object is", "objects are")) left out; see \(folder)"
      )
    }
    let request = arguments.request
    if record.destinationPath == nil, !context.output.isJSON, !request.mappingFiles.isEmpty,
      !request.rebuilds
    {
      context.output.note("to carry out the mapping anyway, pass --strategy rebuild")
    }
  }

  private var outcome: String {
    let made = "\(record.rows.grouped) rows, \(record.size)"
    switch (arguments.verb, record.destinationPath) {
    case (.migrate, nil): return "\(arguments.store) is of this version already: nothing was done"
    case (_, nil): return "the store fits the model already: nothing was done"
    case (.migrate, _?):
      if let kept = record.kept {
        return "\(arguments.store): \(made); the old store is kept as \(kept)"
      }
      return plan?.source.isUnread == true
        ? "\(arguments.store): \(record.size); its schema was changed in its place; what was written was "
          + "checked, and no row was read"
        : "\(arguments.store): \(made); changed in its place"
    case (_, let destination?):
      guard !record.wasDone else { return "\(destination) already exists, made by this plan" }
      let peak = record.peakMemory.map { ", peak memory \($0)" } ?? ""
      let how =
        record.wasWhole
        ? "published; an interrupted run had made it" : "in \(Platform.timeSinceStart.short)\(peak)"
      return "\(destination): \(made), \(how)"
    }
  }

  private func showEntities(_ page: ReportPage) {
    guard context.output.reportsDecisions || context.output.isSeen, !page.record.wasDone,
      page.record.destinationPath != nil
    else { return }
    for line in page.entityTable { context.output.note(line) }
  }

  /// Writes the page of a run that is left with work to do; the outcome matters more than a page that fails.
  private func leave(_ record: MigrationRecord) {
    guard report != nil, let plan else { return }
    var record = record
    if let measures { record.take(measures) }
    do { try write(ReportPage(record, plan)) } catch { context.output.warning("\(error)") }
  }

  private func write(_ page: ReportPage) throws {
    // A file of this name may have been made since the run began.
    try report?.refuse(protecting: page.plan.stores)
    try report?.write(page.text, ofStore: page.plan.source.store)
  }

  private func suggestResume() {
    let output = context.output
    guard arguments.verb != .migrate else {
      return output.warning("stopped; the store is as it was; do the same again to continue")
    }
    guard record.state == .interrupted else {
      return output.warning("stopped; nothing was kept, and no destination was made")
    }
    let kept = record.rows > 0 ? "with \(record.rows.grouped) rows kept" : "before a row was kept"
    output.warning("stopped \(kept); continue with: \(next.resume)")
  }

  /// As many lines as fit a screen; `plan --diff` shows all.
  private static var linesOfDifferences: Int { 20 }

  private func reportChanges(since plan: MigrationPlan) {
    let planned = try? plan.plannedAgain { $0.knowsPolicy = context.knowsPolicy }
    guard let new = planned else { return }
    // The error names the inputs.
    let differences = plan.differences(to: new).filter { $0.aspect != .input }
    guard !differences.isEmpty else { return }
    context.output.note("a new plan would say:")
    for line in differences.lines.prefix(Self.linesOfDifferences) {
      context.output.note("  \(line)")
    }
  }
}

extension Output {
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
        try output.end(record, ExitCode(of: error))
      }
      throw error
    }
  }
}
