import BulkExecute
import BulkFleet

/// The events of a fleet's run on standard output: the lines of `--json` before the last one.
struct FleetEventLog {
  let output: Output

  func begin(_ fleet: FleetPlan, stores: Int) {
    write(.begin) { ($0.fleet, $0.stores) = (fleet.fingerprint, stores) }
  }

  func note(_ found: FleetEvent) {
    switch found {
    case .requested(let control): write(.request) { $0.message = control.text }
    case .began(let job):
      write(.store) {
        ($0.id, $0.attempt) = (job.store.id, job.attempt)
      }
    case .attempted(let result):
      write(.result) {
        ($0.id, $0.attempt) = (result.id, result.attempt)
        ($0.outcome, $0.exitCode) = (result.outcome.rawValue, result.code)
        ($0.rows, $0.seconds) = (result.record.rowsOfAttempt, result.record.wallSeconds)
        ($0.memory, $0.message) = (result.record.peakMemoryBytes, result.error?.message)
      }
    case .counted: return
    }
  }

  private func write(_ kind: Event.Kind, _ fill: (inout Event) -> Void) {
    output.write(kind, fill)
  }
}
