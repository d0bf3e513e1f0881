import BulkCoding
import BulkExecute
import BulkPlan

/// A migration that a command carries out: its limits, its progress, and the signals that stop it.
struct AttendedRun {
  let options: RunningOptions
  let context: CommandContext
  let stopping: Stopping
  let progress: TerminalProgress
  let history: RunHistoryFile
  let report: ReportTarget?
  private let base: ByteCount?

  /// A run by a process that held so much memory when its command began.
  init(
    _ options: RunningOptions,
    _ context: CommandContext,
    base: ByteCount?,
    withParent diesWithParent: Bool
  ) {
    (self.options, self.context, self.base) = (options, context, base)
    stopping = Stopping(Interruption(), after: options.maxDuration, withParent: diesWithParent)
    progress = context.output.progress()
    history = RunHistoryFile(context.environment, isKept: options.keepsHistory)
    report = options.reportPath.map { ReportTarget(path: $0) }
  }

  /// Prepares a migration to be carried out, and watches signals from then on.
  ///
  /// While the source is only read, a signal ends the process and nothing is lost.
  ///
  /// - Returns: The measures of the run.
  func attend(_ migration: inout Migration, events: EventLog? = nil) -> MeasureRecorder {
    Interruption.watch()
    migration.baseMemory = base
    migration.memoryLimit =
      options.maxMemory ?? MigrationStatus(migration.stateLocation).memoryLimit
      ?? RunArguments.usualMemory
    migration.policies = context.policies
    migration.onDiskFull = options.onDiskFull
    migration.timeLimit = options.maxDuration
    migration.threads = options.threads?.threads ?? migration.threads
    let measures = MeasureRecorder(
      memoryLimit: migration.memoryLimit,
      command: context.commandLine
    )
    migration.measures = measures
    migration.stopRequest = {
      ProgressRequest.answer(with: progress)
      return stopping.request
    }
    migration.decided = { context.output.decision($0) }
    migration.memoryLimitChanged = { limit in
      progress.stepAside { context.output.note("memory limit \(limit) from now on") }
      events?.note(memoryLimit: limit)
    }
    migration.report = {
      progress.update(ProgressSnapshot($0))
      events?.note($0)
      ProgressRequest.answer(with: progress)
    }
    return measures
  }

  /// Estimates the time left by earlier runs.
  ///
  /// - Returns: Whether enough of them are comparable.
  @discardableResult
  func estimate(_ plan: MigrationPlan) -> Bool {
    let forecast = TimeForecast(after: history.read(context.output.warning), for: plan)
    progress.use(forecast)
    return forecast != nil
  }
}
