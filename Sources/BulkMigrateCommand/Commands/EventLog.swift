import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlan
import BulkPlatform

/// The events of a run, a line of JSON each, as `Plans/schemas/event.schema.json` says.
///
/// A file that can no longer be written is abandoned with a warning: the migration matters more.
final class EventLog {
  private let lines: EventLines
  /// The last stage, step and pass, to detect a change.
  private var last: (stage: MigrationProgress.Stage, step: Int, pass: Int)?

  init(_ lines: EventLines) { self.lines = lines }

  /// Reports the planned work.
  ///
  /// - Throws: ``MigrationError/cannotCreate(path:reason:)`` if the file is a store of the plan, or cannot be made.
  func begin(_ plan: MigrationPlan) throws(MigrationError) {
    try lines.begin(plan)
    var event = Event(.plan)
    event.plan = plan.fingerprint
    event.destination = plan.destination.store
    event.rowsTotal = plan.rowsOfAllLegs
    write(event)
    for warning in plan.warnings { warn(warning) }
  }

  /// Reports the progress; first the beginning of another stage.
  func note(_ progress: MigrationProgress) {
    let now = (progress.stage, progress.step, progress.pass)
    if last.map({ $0 != now }) ?? true { write(Event(.stage, progress)) }
    last = now
    write(Event(.batch, progress))
  }

  /// Reports that a checkpoint is committed.
  func note(checkpoint number: Int64, rows: Int64) {
    var event = Event(.checkpoint)
    event.checkpoint = number
    event.rows = rows
    write(event)
  }

  /// Reports that the run takes another memory limit.
  func note(memoryLimit: ByteCount) {
    var event = Event(.memory)
    event.memoryLimit = memoryLimit.bytes
    write(event)
  }

  /// Reports that a pass is done.
  func note(_ use: PassUse) {
    var event = Event(.pass)
    (event.step, event.pass, event.name) = (use.step, use.number, use.name)
    event.rows = use.rows
    event.seconds = use.seconds
    event.memory = use.memoryBytes
    write(event)
  }

  func warn(_ outcome: MigrationOutcome) {
    for loss in outcome.losses { warn("lost: \(loss)") }
    for rule in outcome.uncheckedRules { warn(rule) }
    guard let folder = outcome.rejectFolderPath else { return }
    var event = Event(.reject)
    event.rows = outcome.rejected
    event.name = folder
    write(event)
  }

  /// Reports the end of the run.
  func end(_ report: AttemptReport, _ code: ExitCode) {
    var event = Event(.result)
    event.outcome = report.outcome.rawValue
    event.exitCode = code.rawValue
    event.rows = report.rows
    event.message = report.error?.message
    write(event)
  }

  private func warn(_ message: String) {
    var event = Event(.warning)
    event.message = message
    write(event)
  }

  private func write(_ event: Event) { lines.write(event) }
}

struct Event: Encodable {
  enum Kind: String, Encodable {
    case plan
    case stage
    case batch
    case checkpoint
    case memory
    case pass
    case warning
    case reject
    case result
  }

  /// The format, always the same.
  let bulkmigrate = "event/1"
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
  var share: Double?
  var seconds: Double?
  /// The memory of the process, in bytes.
  var memory: Int64?
  var memoryLimit: Int64?
  var message: String?
  var outcome: String?
  var exitCode: Int32?

  init(_ event: Kind) { self.event = event }

  init(_ event: Kind, _ progress: MigrationProgress) {
    self.event = event
    stage = progress.stage.rawValue
    step = progress.step
    pass = progress.pass
    name = progress.passName
    rows = progress.rowsDone
    rowsTotal = progress.rowsTotal
    share = progress.share.map { ($0 * 10_000).rounded(.down) / 10_000 }
    memory = progress.memory?.bytes
    memoryLimit = progress.memoryLimit.bytes
  }
}
