import BulkCoding
import BulkExecute

/// The output of `plan --json` and `migrate --json` where they fail, on one line.
struct FailureReport: Encodable {
  /// The error.
  struct Fault: Encodable {
    let message: String
  }

  let tool = ToolVersion.text
  let outcome: String
  let exitCode: Int32
  /// The store, as it was named; absent where none was.
  let store: String?
  let wallSeconds: Double
  let error: Fault?

  private enum CodingKeys: CodingKey {
    case tool, outcome, exitCode, store, wallSeconds, error
  }

  /// The report of an error.
  init(_ error: any Error, store: String?) {
    outcome = "failed"
    exitCode = ((error as? any ErrorWithExitCode)?.exitCode ?? .failed).rawValue
    self.error = Fault(message: "\(error)")
    self.store = store
    wallSeconds = Platform.timeSinceStart / .seconds(1)
  }

  /// The report of an attempt that was stopped.
  init(stoppedWith code: ExitCode, store: String) {
    outcome = "stopped"
    exitCode = code.rawValue
    error = nil
    self.store = store
    wallSeconds = Platform.timeSinceStart / .seconds(1)
  }
}

extension CommandContext {
  /// Runs a body that makes a document; with `--json` an error is a document too.
  func reporting(
    _ store: String?,
    asJSON isJSON: Bool,
    _ body: () throws -> ExitCode
  ) throws -> ExitCode {
    do {
      return try body()
    } catch {
      if isJSON, !(error is UsageError) {
        try output.jsonLine(FailureReport(error, store: store), as: .failure)
      }
      throw error
    }
  }
}
