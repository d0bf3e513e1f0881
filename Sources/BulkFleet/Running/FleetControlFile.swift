package import BulkExecute
internal import BulkPlatform

/// The requests of other processes to `fleet run`, in a file beside its results.
package struct FleetControlFile {
  private let results: String
  private static let sizeLimit = 4_096

  /// - Parameter results: The file of results of the run.
  package init(_ results: String) { self.results = results }

  private var path: String { results + ".control" }

  /// The requests; none where there is no file, or a damaged one.
  package var control: RunControl {
    guard let bytes = try? FileReading.bytes(ofFile: path, atMost: Self.sizeLimit) else {
      return RunControl()
    }
    return (try? JSONDecoder().decode(RunControl.self, from: Data(bytes))) ?? RunControl()
  }

  /// Sends requests to the run, which applies them within a second.
  ///
  /// - Throws: ``FleetError/notAtWork(results:)`` if none is at work; ``FleetError/cannotWrite(path:reason:)``.
  package func send(_ control: RunControl) throws(FleetError) {
    guard ResultLog.isHeld(results) else { throw .notAtWork(results: results) }
    do {
      try JSONEncoder().encode(control).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .cannotWrite(path: path, reason: "\(error)")
    }
  }

  /// Discards requests to another run.
  func discard() { try? FileManager.default.removeItem(atPath: path) }
}
