package import BulkCoding

/// Why a fleet cannot be planned, run or reported.
package enum FleetError: Error {
  /// A manifest has faults, listed by line; nothing was started.
  case manifest(path: String, faults: [ManifestFault], count: Int)
  /// A file is missing or cannot be read.
  case unreadable(path: String, reason: String)
  /// A file is not a fleet, or contradicts itself.
  case badFleet(path: String, reason: String)
  /// Models, mappings or stores differ from those that were planned with.
  case stale(path: String, changes: [String])
  /// A file cannot be written.
  case cannotWrite(path: String, reason: String)
  /// Another process writes to the results.
  case locked(path: String)
  /// A file is not a queue, or belongs to another fleet.
  case badQueue(path: String)
  /// No process appends to results.
  case notAtWork(results: String)
  /// A memory limit is below what any store so far needed.
  case tooLittleMemory(limit: ByteCount, least: ByteCount)
  /// No worker could be started.
  case noWorker(reason: String)
  /// Results cannot be put into a table.
  case table(path: String, reason: String)
}

extension FleetError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .manifest(let path, let faults, let count):
      let rest = count > faults.count ? ["… and \(count - faults.count) more"] : []
      return
        (["\(path) has \(count) \(count == 1 ? "fault" : "faults"); nothing was started"]
        + faults.map(\.description) + rest).joined(separator: "\n")
    case .unreadable(let path, let reason): return "\(path): \(reason)"
    case .badFleet(let path, let reason): return "\(path) is not a fleet that can be run: \(reason)"
    case .stale(let path, let changes):
      return
        (["what \(path) was planned with has changed; plan the fleet again:"]
        + changes.map { "  " + $0 }).joined(separator: "\n")
    case .cannotWrite(let path, let reason): return "\(path) cannot be written: \(reason)"
    case .locked(let path):
      return "another process writes results to \(path); wait for it, or name another file"
    case .badQueue(let path):
      return
        "\(path) is not the queue of this fleet; remove it, or name a new file with --queue"
    case .notAtWork(let path):
      return
        "no fleet run appends to \(path) now; name the results of one that is at work with --results"
    case .tooLittleMemory(let limit, let least):
      return "\(limit) is too little for a worker: the stores so far needed \(least) at least"
    case .noWorker(let reason): return "no worker can be started: \(reason)"
    case .table(let path, let reason): return "the table \(path) cannot be made: \(reason)"
    }
  }
}

package struct ManifestFault: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// The fault, in a sentence.
  package let reason: String

  package var description: String { "line \(line): \(reason)" }
}
