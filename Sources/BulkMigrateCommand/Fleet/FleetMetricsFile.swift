import BulkExecute
import BulkFleet
import BulkPlatform

/// The file of the figures of a fleet's run, which is replaced every ten seconds and at the end; in the text format of
/// Prometheus, for the textfile collector of its node exporter.
final class FleetMetricsFile {
  private let path: String
  private let fleet: String
  private let output: Output
  /// When the run began, in seconds since 1970-01-01 00:00:00 UTC.
  private let began = SystemHost.current.now().timeIntervalSince1970
  private var control = RunControl()
  private var pace = Platform.elapsedTime()
  private var isGivenUp = false

  private static let interval = Duration.seconds(10)

  /// - Throws: ``MigrationError/cannotCreate(path:reason:)`` if the file is of another kind.
  init(_ path: String, _ fleet: FleetPlan, _ output: Output) throws {
    (self.path, self.fleet, self.output) = (path, fleet.fingerprint, output)
    try OwnFile(path: path, beginning: "# HELP bulkmigrate_", kind: "file of metrics").refuse()
    write(FleetTally(), workers: 0)
  }

  func note(_ event: FleetEvent) {
    switch event {
    case .requested(let control): self.control = control
    case .working(let tally, let workers) where pace() >= Self.interval:
      pace = Platform.elapsedTime()
      write(tally, workers: workers)
    case .began, .attempted, .counted, .working: return
    }
  }

  /// Writes the figures; a failure is a warning, and the last one.
  func write(_ tally: FleetTally, workers: Int) {
    guard !isGivenUp else { return }
    do throws(MigrationError) {
      try OwnFile.write(text(tally, workers: workers), to: path)
    } catch {
      isGivenUp = true
      output.warning("no more metrics are written to \(path): \(error)")
    }
  }
}

extension FleetMetricsFile {
  private func text(_ tally: FleetTally, workers: Int) -> String {
    let now = SystemHost.current.now().timeIntervalSince1970
    let states = [
      ("done", tally.done), ("already", tally.already), ("failed", tally.failed),
      ("quarantined", tally.quarantined), ("stopped", tally.stopped),
      ("overtaken", tally.overtaken), ("left", tally.left),
    ]
    let others: [(Kind, name: String, help: String, value: String)] = [
      (.counter, "attempts_total", "Attempts that were begun.", "\(tally.started)"),
      (.counter, "rows_total", "Rows that were written.", "\(tally.rows)"),
      (.counter, "bytes_total", "Bytes of the stores that were made.", "\(tally.bytes)"),
      (.gauge, "workers", "Workers that have a store.", "\(workers)"),
      (.gauge, "paused", "1 while the workers wait.", control.isPaused ? "1" : "0"),
      (.gauge, "start_time_seconds", "When the run began.", "\(began)"),
      (.gauge, "update_time_seconds", "When these figures were taken.", "\(now)"),
    ]
    return metric(
      .gauge,
      "stores",
      help: "Stores of the run by what became of them.",
      states.map { ("state=\"\($0)\"", "\($1)") }
    ) + others.map { metric($0, $1, help: $2, [("", $3)]) }.joined()
  }

  private enum Kind: String {
    case counter
    case gauge
  }

  private func metric(
    _ kind: Kind,
    _ name: String,
    help: String,
    _ values: [(label: String, value: String)]
  ) -> String {
    let whole = "bulkmigrate_fleet_\(name)"
    return "# HELP \(whole) \(help)\n# TYPE \(whole) \(kind.rawValue)\n"
      + values.map { label, value in
        "\(whole){fleet=\"\(fleet.prefix(12))\"\(label.isEmpty ? "" : ",\(label)")} \(value)\n"
      }.joined()
  }
}
