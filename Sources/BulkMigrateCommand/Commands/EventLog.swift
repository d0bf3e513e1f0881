import BulkSupport
import BulkExecute
import BulkPlan

/// The events of a run on standard output: the lines of `--json` before the last one, which is the record.
final class EventLog {
  private let output: Output
  private var last: (stage: MigrationProgress.Stage, step: Int, pass: Int)?

  init(_ output: Output) { self.output = output }

  func begin(_ plan: MigrationPlan) {
    output.write(
      .plan,
      [
        "plan": plan.fingerprint, "destination": plan.destination.store,
        "rowsTotal": plan.rowsOfAllLegs,
      ]
    )
    for warning in plan.warnings { warn(warning) }
  }

  func note(_ progress: MigrationProgress) {
    let now = (progress.stage, progress.step, progress.pass)
    let members: [String: (any Encodable)?] = [
      "stage": progress.stage.rawValue, "step": progress.step, "pass": progress.pass,
      "name": progress.passName, "rows": progress.rowsDone, "rowsTotal": progress.rowsTotal,
      "filesDone": progress.filesDone, "filesTotal": progress.filesTotal,
      "share": progress.share.map { ($0 * 10_000).rounded(.down) / 10_000 },
      "memory": progress.memory?.bytes, "memoryLimit": progress.memoryLimit.bytes,
    ]
    if last.map({ $0 != now }) ?? true { output.write(.stage, members) }
    last = now
    output.write(.batch, members)
  }

  func note(checkpoint number: Int64, rows: Int64) {
    output.write(.checkpoint, ["checkpoint": number, "rows": rows])
  }

  func note(_ use: PassUse) {
    output.write(
      .pass,
      [
        "step": use.step, "pass": use.number, "name": use.name, "rows": use.rows,
        "seconds": use.seconds, "memory": use.memoryBytes,
      ]
    )
  }

  func warn(_ record: MigrationRecord) {
    for loss in record.losses { warn("lost: \(loss)") }
    for rule in record.uncheckedRules { warn(rule) }
    guard let folder = record.rejectFolderPath else { return }
    output.write(.reject, ["rows": record.rejected, "name": folder])
  }

  private func warn(_ message: String) { output.write(.warning, ["message": message]) }
}

extension Output {
  /// Writes an event with the members that have a value, as `Plans/schemas/record.schema.json` describes them.
  func write(_ kind: EventKind, _ members: [String: (any Encodable)?]) {
    let all = members.merging(
      [
        "kind": "event", "event": kind.rawValue,
        // When it happened, in UTC.
        "time": SystemHost.current.now().formatted(.iso8601),
      ]
    ) { $1 }
    // The result that follows fails as well, and tells why.
    try? jsonLine(Members(all), as: .record)
  }
}

enum EventKind: String {
  case plan, stage, batch, checkpoint, pass, warning, reject, result, begin, store, request
}
