import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlatform

/// The events of a fleet's run, a line of JSON each, as `Plans/schemas/fleet-event.schema.json` says.
struct FleetEventLog {
  let lines: EventLines

  /// Reports the beginning of the run.
  func begin(_ fleet: FleetPlan, stores: Int) {
    var event = FleetEventLine(.begin)
    (event.fleet, event.stores) = (fleet.fingerprint, stores)
    lines.write(event)
  }

  func note(_ found: FleetEvent) {
    switch found {
    case .requested(let control):
      var event = FleetEventLine(.request)
      event.message = control.fleetText
      lines.write(event)
    case .began(let job):
      var event = FleetEventLine(.store)
      (event.id, event.attempt, event.wave) = (job.store.id, job.attempt, job.wave)
      lines.write(event)
    case .attempted(let result): lines.write(FleetEventLine(result))
    case .counted, .working: return
    }
  }

  /// Reports the end of the run.
  func end(_ tally: FleetTally, _ code: ExitCode) {
    var event = FleetEventLine(.end)
    (event.tally, event.exitCode) = (tally, code.rawValue)
    lines.write(event)
  }
}

struct FleetEventLine: Encodable {
  enum Kind: String, Encodable {
    case begin
    /// An attempt at a store begins.
    case store
    /// An attempt has ended.
    case result
    /// Another process requests something of the workers.
    case request
    case end
  }

  /// The format, always the same.
  let bulkmigrate = "fleet-event/1"
  let event: Kind
  /// When it happened, as ISO 8601 in UTC.
  let time = SystemHost.current.now().formatted(.iso8601)
  var fleet: String?
  var stores: Int?
  var id: String?
  var attempt: Int?
  var wave: Int?
  var outcome: String?
  /// The rows that the attempt wrote.
  var rows: Int64?
  var seconds: Double?
  /// The memory that the worker held at most, in bytes.
  var memory: Int64?
  var message: String?
  var exitCode: Int32?
  var tally: FleetTally?

  init(_ event: Kind) { self.event = event }

  init(_ result: StoreResult) {
    event = .result
    (id, attempt, wave) = (result.id, result.attempt, result.wave)
    (outcome, exitCode) = (result.outcome.rawValue, result.code)
    (rows, seconds, memory) = (result.rowsOfAttempt, result.wallSeconds, result.peakMemoryBytes)
    message = result.error?.message
  }
}
