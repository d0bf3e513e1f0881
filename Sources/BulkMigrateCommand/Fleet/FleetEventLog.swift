import BulkExecute
import BulkFleet

/// The events of a fleet's run, as `Plans/schemas/fleet-event.schema.json` says.
struct FleetEventLog {
  private let lines: EventLines

  /// Adds events to a file; see ``EventLines``.
  init(_ path: String, _ output: Output) throws {
    lines = try EventLines(path, output, as: "fleet-event/1")
  }

  func begin(_ fleet: FleetPlan, stores: Int) {
    lines.write(.begin) { ($0.fleet, $0.stores) = (fleet.fingerprint, stores) }
  }

  func note(_ found: FleetEvent) {
    switch found {
    case .requested(let control): lines.write(.request) { $0.message = control.fleetText }
    case .began(let job):
      lines.write(.store) {
        ($0.id, $0.attempt, $0.wave) = (job.store.id, job.attempt, job.wave)
      }
    case .attempted(let result):
      lines.write(.result) {
        ($0.id, $0.attempt, $0.wave) = (result.id, result.attempt, result.wave)
        ($0.outcome, $0.exitCode) = (result.outcome.rawValue, result.code)
        ($0.rows, $0.seconds) = (result.rowsOfAttempt, result.wallSeconds)
        ($0.memory, $0.message) = (result.peakMemoryBytes, result.error?.message)
      }
    case .counted, .working: return
    }
  }

  func end(_ tally: FleetTally, _ code: ExitCode) {
    lines.write(.end) { ($0.tally, $0.exitCode) = (tally, code.rawValue) }
  }
}
