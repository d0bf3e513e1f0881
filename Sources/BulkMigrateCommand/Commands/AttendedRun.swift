import BulkCoding
import BulkExecute
import BulkPlan
import BulkReport

/// A migration that a command carries out: its limits, its progress, and the signals that stop it.
struct AttendedRun {
  let options: RunArguments
  let context: CommandContext
  let stopping: Stopping
  let progress: TerminalProgress
  let report: ReportTarget?
  private let base: ByteCount?

  /// A run by a process that held so much memory when its command began.
  init(
    _ options: RunArguments,
    _ context: CommandContext,
    base: ByteCount?
  ) {
    (self.options, self.context, self.base) = (options, context, base)
    stopping = Stopping(
      Interruption(),
      after: options.maxDuration,
      withParent: options.diesWithParent
    )
    progress = context.output.progress()
    report = options.reportPath.map { ReportTarget(path: $0) }
  }

  /// The settings of a run with the state at a location, which may be that of an interrupted one.
  func settings(_ location: StateLocation) -> MigrationSettings {
    let limit = options.maxMemory ?? MigrationRecord(location).memoryLimit
    var settings = context.settings(limit ?? RunArguments.usualMemory, base)
    settings.lossLimit = options.maxLoss ?? .usual
    settings.timeLimit = options.maxDuration
    return settings
  }

  /// Watches signals from now on, and shows what a run does.
  ///
  /// While the source is only read, a signal ends the process and nothing is lost.
  ///
  /// - Parameters:
  ///   - memoryLimit: The memory limit of the run.
  ///   - log: The log of events, if there is one.
  /// - Returns: The calls of the run, with the recorder of its measures.
  func watch(_ memoryLimit: ByteCount, log: EventLog? = nil) -> MigrationEvents {
    Interruption.watch()
    var events = MigrationEvents()
    events.measures = MeasureRecorder(memoryLimit: memoryLimit, command: context.commandLine)
    events.stopRequest = {
      ProgressRequest.answer(with: progress)
      return stopping.request
    }
    events.decided = { context.output.decision($0) }
    events.requested = { control in
      let text = control.phrases.joined(separator: ", ")
      let next = control.isPaused ? "; it waits until control --resume" : ""
      progress.stepAside { context.output.note(text.isEmpty ? "goes on" : text + next) }
    }
    events.report = {
      progress.update(TaskProgress($0))
      log?.note($0)
      ProgressRequest.answer(with: progress)
    }
    return events
  }

  /// Writes the report of a run that is left with work to do; the outcome matters more than a report that fails.
  func leave(_ record: MigrationRecord, _ plan: MigrationPlan, _ events: MigrationEvents) {
    guard let report else { return }
    var record = record
    record.take(events.measures?.record)
    do {
      // A file of this name may have been made since the run began.
      try report.refuse(besides: plan)
      try report.write(ReportPage(record, plan))
    } catch {
      context.output.warning("\(error)")
    }
  }
}
