package import BulkExecute
package import BulkPlan
internal import BulkCoding
internal import BulkPlatform

/// The result of one attempt at a store, a line of the results.
package struct StoreResult: Codable, Hashable, Sendable {
  /// Who can do something about a failure.
  package enum Failure: String, Codable, Hashable, Sendable, CaseIterable {
    /// The store or its mapping has to be corrected.
    case permanent
    /// It may succeed later without a correction.
    case transient
    /// The operator has to: there is too little memory, disk or time, or a name is taken.
    case `operator`
  }

  /// The fingerprint of the fleet.
  package var fleet: String
  package var id: String
  /// The number of the attempt, from 1.
  package var attempt: Int
  package var outcome: MigrationRecord.Outcome
  /// The exit code that the commands for a single store would have.
  package var code: Int32
  /// Who can do something about it; absent where nothing failed.
  package var failure: Failure?
  /// The owner's name for stores of its kind.
  package var storeClass: String?
  package var source: String
  package var destination: String
  /// The name of the version that the store had; absent if unknown.
  package var version: String?
  /// The name of the version that it was to get; absent if unknown.
  package var destinationVersion: String?
  /// The rows of the destination.
  package var rows: Int64?
  /// The rows that this attempt wrote.
  package var rowsOfAttempt: Int64?
  /// The rows that an earlier attempt had written.
  package var resumedAtRow: Int64?
  package var losses: [MigrationPlan.Loss]?
  /// The references of a staged store to files of external values that are not there; absent if there is none.
  package var missingFiles: Int64?
  /// The objects that were left out.
  package var rejected: Int64?
  /// Whether the destination was verified, and found to be as it should.
  package var isVerified: Bool?
  /// The size of the source in bytes.
  package var sourceBytes: Int64?
  /// The size of the destination in bytes.
  package var bytes: Int64?
  package var wallSeconds = 0.0
  package var processorSeconds = 0.0
  /// The peak memory of the process during the attempt, in bytes.
  package var peakMemoryBytes: Int64?
  /// The fingerprint of the store's plan.
  package var plan: String?
  package var tool = ToolVersion.text
  package var host = ""
  /// When it ended, in seconds since 1970-01-01 00:00:00 UTC.
  package var time = 0.0
  package var error: MigrationRecord.Fault?

  private var kind = "store"

  private enum CodingKeys: String, CodingKey {
    case kind, fleet, id, attempt, outcome, code, failure
    case storeClass = "class"
    case source, destination, version, destinationVersion, rows, rowsOfAttempt, resumedAtRow
    case losses, missingFiles, rejected
    case isVerified = "verified"
    case sourceBytes, bytes, wallSeconds, processorSeconds, peakMemoryBytes
    case plan, tool, host, time, error
  }
}

extension StoreResult {
  private static let decoder = JSONDecoder()
  /// Thirty years, longer than an attempt takes; and the end of the year 9999, in seconds since 1970.
  private static let (longest, latest) = (1e9, 253_402_300_800.0)

  /// The result of a line; `nil` of another line, and of one with numbers that no attempt has.
  init?(line: some Sequence<UInt8>) {
    guard let found = try? Self.decoder.decode(StoreResult.self, from: Data(line)) else {
      return nil
    }
    let counts = [
      Int64(found.attempt), found.rows, found.rowsOfAttempt, found.resumedAtRow,
      found.missingFiles, found.rejected, found.sourceBytes, found.bytes, found.peakMemoryBytes,
    ]
    let seconds = [found.wallSeconds, found.processorSeconds]
    guard counts.allSatisfy({ [$0 ?? 0].areCounts }), (0...255).contains(found.code),
      (found.losses ?? []).map(\.count).areCounts, (0...Self.latest).contains(found.time),
      seconds.allSatisfy({ (0...Self.longest).contains($0) })
    else { return nil }
    self = found
  }
}

extension StoreResult {
  typealias Code = FleetError.Code

  /// Takes the code of an error.
  package mutating func fail(with code: Int32, _ fault: MigrationRecord.Fault) {
    self.code = code
    error = fault
    switch code {
    case Code.fenced: (outcome, failure) = (.overtaken, nil)
    case Code.workLeft: (outcome, failure) = (.stopped, nil)
    case Code.locked, Code.inputOutput, Code.temporary, Code.stale:
      (outcome, failure) = (.failed, .transient)
    case Code.badData, Code.noInput, Code.verificationFailed, Code.failed:
      (outcome, failure) = (.quarantined, .permanent)
    default: (outcome, failure) = (.failed, .operator)
    }
  }
}

/// An order to a worker: one attempt at a store.
package struct StoreJob: Codable, Hashable, Sendable {
  package var store: FleetStore
  /// The number of the attempt, from 1; 0 of a store that no worker was given yet.
  package var attempt: Int
  /// Whether to verify the destination.
  package var verifies: Bool
}

extension StoreResult {
  /// The result of a job, before anything is known of it.
  init(_ job: StoreJob, of fleet: FleetPlan) {
    let store = job.store
    self.init(
      fleet: fleet.fingerprint,
      id: store.id,
      attempt: job.attempt,
      outcome: .failed,
      code: Code.failed,
      storeClass: store.storeClass,
      source: store.source,
      destination: store.destination,
      version: store.version,
      sourceBytes: store.bytes
    )
  }

  /// The first line of the error without paths and numbers, by which failures are grouped.
  var reason: String? {
    guard let error else { return nil }
    let line = error.message.split(separator: "\n").first.map(String.init) ?? ""
    let bare = line.replacing(source, with: "").replacing(destination, with: "")
    return bare.replacing(#/[0-9][0-9,.]*/#, with: "#")
  }

  mutating func finish(as outcome: MigrationRecord.Outcome, rejected: Int64? = nil) {
    (self.outcome, failure, error, self.rejected) = (outcome, nil, nil, rejected)
    code = rejected == nil ? Code.done : Code.rejected
    if outcome == .already { rowsOfAttempt = 0 }
  }

  mutating func take(_ record: MigrationRecord) {
    finish(
      as: record.outcome ?? .done,
      rejected: record.rejected > 0 ? record.rejected : nil
    )
    rows = record.destinationPath == nil ? nil : record.rows
    bytes = record.bytes
    rowsOfAttempt = record.rowsOfAttempt
    resumedAtRow = record.rowsBefore
    losses = record.losses.isEmpty ? nil : record.losses
  }

  mutating func fail(with error: any Error, code: Int32) {
    if case MigrationError.cancelled? = error as? MigrationError {
      (outcome, self.code, failure) = (.stopped, Code.workLeft, nil)
      return
    }
    fail(with: code, MigrationRecord.Fault(error, message: "\(error)"))
  }
}

/// The numbers of stores by outcome so far.
package struct FleetTally: Codable, Hashable, Sendable {
  /// The number of all stores.
  package var total = 0
  /// The attempts that were begun.
  package var started = 0
  package var done = 0
  package var already = 0
  package var failed = 0
  package var quarantined = 0
  package var stopped = 0
  package var overtaken = 0
  /// The stores that were migrated, and found not to be as they should; they count as quarantined too.
  package var unverified = 0
  /// The stores that are done but for objects that were left out.
  package var rejected = 0
  /// The rows that the attempts wrote.
  package var rows: Int64 = 0
  /// The bytes of the stores that were made.
  package var bytes: Int64 = 0

  /// The stores that no attempt has ended at.
  package var left: Int { total - ended - failures - stopped - overtaken }

  /// The stores with nothing left to do.
  package var ended: Int { done + already }
  /// The stores that failed.
  package var failures: Int { failed + quarantined }

  mutating func take(_ result: StoreResult) {
    switch result.outcome {
    case .done: done += 1
    case .already: already += 1
    case .failed: failed += 1
    case .quarantined: quarantined += 1
    case .stopped: stopped += 1
    case .overtaken: overtaken += 1
    }
    rows += result.rowsOfAttempt ?? 0
    if result.outcome == .done { bytes += result.bytes ?? 0 }
    if result.isVerified == false { unverified += 1 }
    if result.outcome.isEnd, result.rejected != nil { rejected += 1 }
  }
}
