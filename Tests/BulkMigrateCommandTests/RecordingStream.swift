import Synchronization

@testable import BulkMigrateCommand

/// A stream that keeps what is written to it, and fails when it is told to.
final class RecordingStream: TextStream {
  let terminalWidth: Int?
  private let failure: OutputError?
  private let writes = Mutex<[String]>([])

  init(terminalWidth: Int? = nil, failure: OutputError? = nil) {
    self.terminalWidth = terminalWidth
    self.failure = failure
  }

  /// What was written, write by write.
  var pieces: [String] { writes.withLock { $0 } }

  /// What was written.
  var text: String { pieces.joined() }

  func write(_ text: String) throws(OutputError) {
    if let failure { throw failure }
    writes.withLock { $0.append(text) }
  }
}
