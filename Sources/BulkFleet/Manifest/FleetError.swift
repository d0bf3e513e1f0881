internal import BulkExecute
internal import BulkSupport

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
    return FleetError(Code.badData, lines.joined(separator: "\n"))
  }

  static func unreadable(path: String, reason: String) -> FleetError {
    FleetError(Code.noInput, "\(path): \(reason)")
  }

  static func badFleet(path: String, reason: String) -> FleetError {
    FleetError(Code.badData, "\(path) is not a fleet that can be run: \(reason)")
  }

  static func stale(path: String, changes: [String]) -> FleetError {
    let title = "what \(path) was planned with has changed; plan the fleet again:"
    let lines = [title] + changes.map { "  " + $0 }
    return FleetError(Code.stale, lines.joined(separator: "\n"))
  }

  /// A file cannot be written, by the call that was the last one unless a reason is given.
  static func cannotWrite(path: String, reason: String? = nil) -> FleetError {
    // The text belongs to the system and is copied at once.
    let reason = unsafe reason ?? String(cString: strerror(errno))
    return FleetError(Code.cannotCreate, "\(path) cannot be written: \(reason)")
  }

  static func writing<Value>(
    _ path: String,
    _ value: @autoclosure () throws(FileError) -> Value
  ) throws(FleetError) -> Value {
    do throws(FileError) { return try value() } catch {
      throw .cannotWrite(path: path, reason: error.reason)
    }
  }

  static func absent(_ name: String) -> FleetError {
    FleetError(Code.noInput, "there is no \(name)")
  }
}

extension FleetError {
  /// The exit codes of an attempt at a store that mean something to a fleet.
  enum Code {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let rejected: Int32 = 3
    static let verificationFailed: Int32 = 4
    static let stale: Int32 = 5
    static let workLeft: Int32 = 6
    static let locked: Int32 = 8
    static let fenced: Int32 = 9
    static let badData: Int32 = 65
    static let noInput: Int32 = 66
    static let cannotCreate: Int32 = 73
    static let inputOutput: Int32 = 74
    static let temporary: Int32 = 75
  }
}
