internal import BulkExecute
internal import BulkPlatform

/// Why a fleet cannot be planned, run or reported.
package struct FleetError: Error, CustomStringConvertible {
  /// The exit code that it gives the program.
  package let code: Int32
  package let description: String

  init(_ code: Int32, _ description: String) {
    (self.code, self.description) = (code, description)
  }

  /// A manifest has faults, each with its line, from 1; nothing was started.
  static func manifest(
    _ path: String,
    _ faults: [(line: Int, reason: String)],
    of count: Int? = nil
  ) -> FleetError {
    let count = count ?? faults.count
    let title = "\(path) has \(count) \(count == 1 ? "fault" : "faults"); nothing was started"
    let rest = count > faults.count ? ["… and \(count - faults.count) more"] : []
    let lines = [title] + faults.map { "line \($0.line): \($0.reason)" } + rest
    return FleetError(StoreResult.Code.badData, lines.joined(separator: "\n"))
  }

  /// A file is missing or cannot be read.
  static func unreadable(path: String, reason: String) -> FleetError {
    FleetError(StoreResult.Code.noInput, "\(path): \(reason)")
  }

  /// A file is not a fleet, or contradicts itself.
  static func badFleet(path: String, reason: String) -> FleetError {
    FleetError(StoreResult.Code.badData, "\(path) is not a fleet that can be run: \(reason)")
  }

  /// Models, mappings or stores differ from those that were planned with.
  static func stale(path: String, changes: [String]) -> FleetError {
    let title = "what \(path) was planned with has changed; plan the fleet again:"
    let lines = [title] + changes.map { "  " + $0 }
    return FleetError(StoreResult.Code.stale, lines.joined(separator: "\n"))
  }

  /// A file cannot be written, by the call that was the last one unless a reason is given.
  static func cannotWrite(path: String, reason: String? = nil) -> FleetError {
    // The text belongs to the system and is copied at once.
    let reason = unsafe reason ?? String(cString: strerror(errno))
    return FleetError(StoreResult.Code.cannotCreate, "\(path) cannot be written: \(reason)")
  }

  /// Evaluates something that writes a file, whose errors become those of a fleet.
  static func writing<Value>(
    _ path: String,
    _ value: @autoclosure () throws(FileError) -> Value
  ) throws(FleetError) -> Value {
    do throws(FileError) { return try value() } catch {
      throw .cannotWrite(path: path, reason: error.reason)
    }
  }

  /// Nothing has a name of a staged store.
  static func absent(_ name: String) -> FleetError {
    FleetError(StoreResult.Code.noInput, "there is no \(name)")
  }
}
