import BulkCoding
import BulkExecute
import BulkPlan
import BulkPlatform

/// The events of a run on standard output: the lines of `--json` before the last one, which is the record.
final class EventLog {
  private let output: Output
  private var last: (stage: MigrationProgress.Stage, step: Int, pass: Int)?

  init(_ output: Output) { self.output = output }

  func begin(_ plan: MigrationPlan) {
    output.write(.plan) {
      $0.plan = plan.fingerprint
      $0.destination = plan.destination.store
      $0.rowsTotal = plan.rowsOfAllLegs
    }
    for warning in plan.warnings { warn(warning) }
  }

  func note(_ progress: MigrationProgress) {
    let now = (progress.stage, progress.step, progress.pass)
    if last.map({ $0 != now }) ?? true { output.write(.stage) { $0.take(progress) } }
    last = now
    output.write(.batch) { $0.take(progress) }
  }

  func note(checkpoint number: Int64, rows: Int64) {
    output.write(.checkpoint) { ($0.checkpoint, $0.rows) = (number, rows) }
  }

  func note(_ use: PassUse) {
    output.write(.pass) {
      ($0.step, $0.pass, $0.name) = (use.step, use.number, use.name)
      ($0.rows, $0.seconds, $0.memory) = (use.rows, use.seconds, use.memoryBytes)
    }
  }

  func warn(_ record: MigrationRecord) {
    for loss in record.losses { warn("lost: \(loss)") }
    for rule in record.uncheckedRules { warn(rule) }
    guard let folder = record.rejectFolderPath else { return }
    output.write(.reject) { ($0.rows, $0.name) = (record.rejected, folder) }
  }

  private func warn(_ message: String) { output.write(.warning) { $0.message = message } }
}

extension Output {
  func write(_ kind: Event.Kind, _ fill: (inout Event) -> Void) {
    var event = Event(event: kind)
    fill(&event)
    // The result that follows fails as well, and tells why.
    try? jsonLine(event, as: .record)
  }
}

struct Event: Encodable {
  enum Kind: String, Encodable {
    case plan
    case stage
    case batch
    case checkpoint
    case pass
    case warning
    case reject
    case result
    case begin
    case store
    case request
  }

  let kind = "event"
  let event: Kind
  /// When it happened, as ISO 8601 in UTC.
  let time = SystemHost.current.now().formatted(.iso8601)
  var plan: String?
  var destination: String?
  var stage: String?
  var step: Int?
  var pass: Int?
  var name: String?
  var checkpoint: Int64?
  var rows: Int64?
  var rowsTotal: Int64?
  /// The files with external values that are copied so far, and all of them.
  var filesDone: Int64?
  var filesTotal: Int64?
  var share: Double?
  var seconds: Double?
  /// The memory of the process, or that which the worker of a fleet held at most, in bytes.
  var memory: Int64?
  var memoryLimit: Int64?
  var message: String?
  var outcome: String?
  var exitCode: Int32?
  var fleet: String?
  var stores: Int?
  var id: String?
  var attempt: Int?

  mutating func take(_ progress: MigrationProgress) {
    stage = progress.stage.rawValue
    step = progress.step
    pass = progress.pass
    name = progress.passName
    rows = progress.rowsDone
    rowsTotal = progress.rowsTotal
    (filesDone, filesTotal) = (progress.filesDone, progress.filesTotal)
    share = progress.share.map { ($0 * 10_000).rounded(.down) / 10_000 }
    memory = progress.memory?.bytes
    memoryLimit = progress.memoryLimit.bytes
  }
}
