import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlan

/// The last output of `run --json` and `resume --json`: one object on one line, for every attempt.
struct AttemptReport: Encodable {
  enum Outcome: String, Encodable {
    case done
    case already
    case stopped
    case failed
    case fenced
  }

  var tool = ToolVersion.text
  var outcome = Outcome.failed
  var exitCode: Int32 = 0
  /// The path of the source.
  var store: String?
  var destination: String?
  var stateDirectory: String?
  /// The rows of the destination, if it was made.
  var rows: Int64?
  /// The rows that this attempt wrote.
  var rowsOfAttempt: Int64?
  /// The rows that an interrupted run had written, if one was resumed.
  var resumedAtRow: Int64?
  /// The size of the destination in bytes.
  var bytes: Int64?
  /// Whether an interrupted run had completed the store, so that it was only published.
  var onlyPublished: Bool?
  /// The objects that were left out because they violate rules; absent without any.
  var rejected: Int64?
  /// The folder with the reject files.
  var rejects: String?
  var losses: [MigrationPlan.Loss]?
  /// The measures of the passes, where there are several: all of them of a store that was made,
  /// otherwise those that this attempt has done.
  var passes: [PassUse]?
  /// The rules of the destination's model that were not checked; absent without any.
  var unaskedRules: [String]?
  var bytesRead: Int64?
  var bytesWritten: Int64?
  var wallSeconds = 0.0
  var processorSeconds = 0.0
  /// The peak memory of the process, `VmHWM`.
  var peakMemoryBytes: Int64?
  /// The fingerprint of the plan.
  var plan: String?
  /// The fingerprint of the source's state.
  var source: String?
  var error: StoreResult.Fault?

  mutating func take(_ plan: MigrationPlan) {
    store = plan.source.store
    destination = plan.destination.store
    self.plan = plan.fingerprint
    source = plan.source.identity
  }

  mutating func take(_ outcome: MigrationOutcome) {
    let isAlready = outcome.wasDone || outcome.destinationPath == nil
    self.outcome = isAlready ? .already : .done
    destination = outcome.destinationPath
    rows = outcome.rows
    rowsOfAttempt = isAlready ? 0 : max(outcome.rows - (outcome.rowsBefore ?? 0), 0)
    resumedAtRow = outcome.rowsBefore
    bytes = outcome.size.bytes
    onlyPublished = outcome.wasWhole ? true : nil
    rejected = outcome.rejected > 0 ? outcome.rejected : nil
    rejects = outcome.rejectFolderPath
    losses = outcome.losses
    passes = outcome.passes.count > 1 ? outcome.passes : passes
    unaskedRules = outcome.uncheckedRules.isEmpty ? nil : outcome.uncheckedRules
    wallSeconds = Platform.timeSinceStart / .seconds(1)
  }

  /// Records how far an attempt came that was stopped.
  mutating func stopped(_ status: MigrationStatus, resumedAt before: Int64?) {
    outcome = .stopped
    resumedAtRow = before
    rowsOfAttempt = max(0, (status.rowsDone ?? 0) - (before ?? 0))
  }

  mutating func failed(with error: any Error, _ advised: any Error) {
    outcome = .failed
    if case MigrationError.fenced? = error as? MigrationError { outcome = .fenced }
    self.error = StoreResult.Fault(error, message: "\(advised)")
  }

  mutating func takeUse() {
    wallSeconds = Platform.timeSinceStart / .seconds(1)
    processorSeconds = ProcessUse.processorSeconds
    bytesRead = ProcessUse.bytesRead
    bytesWritten = ProcessUse.bytesWritten
    peakMemoryBytes = ProcessMemory.peak?.bytes
  }
}

/// The output of `plan --json` and `migrate --json` where they fail, on one line.
struct FailureReport: Encodable {
  let tool = ToolVersion.text
  let outcome: AttemptReport.Outcome
  let exitCode: Int32
  /// The store, as it was named; absent where none was.
  let store: String?
  let wallSeconds = Platform.timeSinceStart / .seconds(1)
  var error: StoreResult.Fault?
}

extension CommandContext {
  /// Runs a body that makes a document; with `--json` an error is a document too.
  func reporting(_ store: String?, _ body: () throws -> ExitCode) throws -> ExitCode {
    do {
      return try body()
    } catch {
      if output.isJSON, !(error is UsageError) {
        let code = (error as? any ErrorWithExitCode)?.exitCode ?? .failed
        let fault = StoreResult.Fault(message: "\(error)")
        try output.jsonLine(
          FailureReport(outcome: .failed, exitCode: code.rawValue, store: store, error: fault),
          as: .failure
        )
      }
      throw error
    }
  }
}
