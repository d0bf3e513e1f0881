package import BulkExecute
internal import BulkPlan
internal import BulkSupport

/// The result of one attempt at a store, a line of the results.
@dynamicMemberLookup
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

  /// What a line has in addition to a record.
  package struct Members: Codable, Hashable, Sendable {
    /// The fingerprint of the fleet.
    package var fleet: String
    package var id: String
    /// The number of the attempt, from 1.
    package var attempt: Int
    /// Who can do something about it; absent where nothing failed.
    package var failure: Failure?
    var storeClass: String?
    /// The name of the version that the store had; absent if unknown.
    package var version: String?
    /// The name of the version that it was to get; absent if unknown.
    package var destinationVersion: String?
    /// The references of a staged store to files of external values that are not there; absent if there is none.
    package var missingFiles: Int64?
    package var sourceBytes: Int64?
    package var host = ""
    /// When it ended, in seconds since 1970-01-01 00:00:00 UTC.
    package var time = 0.0

    fileprivate enum CodingKeys: String, CodingKey, CaseIterable {
      case fleet, id, attempt, failure
      case storeClass = "class"
      case version, destinationVersion, missingFiles, sourceBytes, host, time
    }
  }

  private var own: Members
  /// What became of the store, as `run` reports it, with the exit code that the commands for a single store would have.
  package var record: MigrationRecord

  package subscript<Value>(dynamicMember path: WritableKeyPath<Members, Value>) -> Value {
    get { own[keyPath: path] }
    set { own[keyPath: path] = newValue }
  }

  /// The names of the members of a line that a record does not have.
  package static var members: [String] { Members.CodingKeys.allCases.map(\.rawValue) }

  /// The result of a job, before anything is known of it.
  init(_ job: StoreJob, of fleet: FleetPlan) {
    let store = job.store
    own = Members(fleet: fleet.fingerprint, id: store.id, attempt: job.attempt)
    (own.storeClass, own.version, own.sourceBytes) = (store.storeClass, store.version, store.bytes)
    record = MigrationRecord(.store)
    (record.store, record.destinationPath) = (store.source, store.destination)
    (record.outcome, record.exitCode) = (.failed, Code.failed)
  }

  package init(from decoder: any Decoder) throws {
    (record, own) = (try MigrationRecord(from: decoder), try Members(from: decoder))
  }

  package func encode(to encoder: any Encoder) throws {
    try record.encode(to: encoder)
    try own.encode(to: encoder)
  }
}

extension StoreResult {
  private static let decoder = JSONDecoder()
  /// Thirty years, longer than an attempt takes; and the end of the year 9999, in seconds since 1970.
  private static let (longest, latest) = (1e9, 253_402_300_800.0)

  /// The result of a line; `nil` of another line, and of one with numbers that no attempt has.
  init?(line: some Sequence<UInt8>) {
    guard let found = try? Self.decoder.decode(StoreResult.self, from: Data(line)),
      found.record.kind == .store, found.record.outcome != nil
    else { return nil }
    let record = found.record
    let counts = [
      Int64(found.attempt), record.rows, record.rowsOfAttempt, record.rowsBefore,
      found.missingFiles, record.rejected, found.sourceBytes, record.bytes, record.peakMemoryBytes,
    ]
    let seconds = [record.wallSeconds, record.processorSeconds].map { $0 ?? 0 }
    guard counts.allSatisfy({ [$0 ?? 0].areCounts }),
      (0...255).contains(found.code), record.exitCode != nil,
      record.losses.map(\.count).areCounts, (0...Self.latest).contains(found.time),
      seconds.allSatisfy({ (0...Self.longest).contains($0) })
    else { return nil }
    self = found
  }
}

extension StoreResult {
  typealias Code = FleetError.Code

  package var outcome: MigrationRecord.Outcome { record.outcome ?? .failed }
  package var code: Int32 { record.exitCode ?? Code.failed }
  package var error: MigrationRecord.Fault? { record.error }
  package var source: String { record.store ?? "" }

  package mutating func fail(with code: Int32, _ fault: MigrationRecord.Fault) {
    (record.exitCode, record.error) = (code, fault)
    (record.outcome, own.failure) =
      switch code {
      case Code.fenced: (.overtaken, nil)
      case Code.workLeft: (.stopped, nil)
      case Code.locked, Code.inputOutput, Code.temporary, Code.stale: (.failed, .transient)
      case Code.badData, Code.noInput, Code.verificationFailed, Code.failed:
        (.quarantined, .permanent)
      default: (.failed, .operator)
      }
  }

  mutating func fail(with error: any Error, code: Int32) {
    if case MigrationError.cancelled? = error as? MigrationError {
      (record.outcome, record.exitCode, own.failure) = (.stopped, Code.workLeft, nil)
      return
    }
    fail(with: code, MigrationRecord.Fault(error, message: "\(error)"))
  }

  /// The first line of the error without paths and numbers, by which failures are grouped.
  var reason: String? {
    guard let error else { return nil }
    let line = error.message.split(separator: "\n").first.map(String.init) ?? ""
    let bare = line.replacing(source, with: "")
      .replacing(record.destinationPath ?? "", with: "")
    return bare.replacing(#/[0-9][0-9,.]*/#, with: "#")
  }

  mutating func finish(as outcome: MigrationRecord.Outcome, rejected: Int64? = nil) {
    (record.outcome, own.failure, record.error) = (outcome, nil, nil)
    record.rejected = rejected ?? 0
    record.exitCode = record.rejected == 0 ? Code.done : Code.rejected
    if outcome == .already { record.rowsOfAttempt = 0 }
  }

  /// Takes the record of an attempt, but for the names of a store that may be staged.
  mutating func take(_ made: MigrationRecord) {
    let names = (record.store, record.destinationPath, record.planFingerprint)
    record = made
    record.kind = .store
    (record.store, record.destinationPath, record.planFingerprint) = names
    (record.rejectFolderPath, record.stateDirectory) = (nil, nil)
    finish(as: made.outcome ?? .done, rejected: made.rejected)
  }
}

/// An order to a worker: one attempt at a store.
package struct StoreJob: Codable, Hashable, Sendable {
  package var store: FleetStore
  /// The number of the attempt, from 1; 0 of a store that no worker was given yet.
  package var attempt: Int
  package var verifies: Bool
}

package struct FleetTally: Codable, Hashable, Sendable {
  package var total = 0
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
  package var rows: Int64 = 0
  /// The bytes of the stores that were made.
  package var bytes: Int64 = 0

  /// The stores that no attempt has ended at.
  package var left: Int { total - ended - failures - stopped - overtaken }

  /// The stores with nothing left to do.
  package var ended: Int { done + already }
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
    let record = result.record
    rows += record.rowsOfAttempt ?? 0
    if result.outcome == .done { bytes += record.bytes ?? 0 }
    if record.verification?.isVerified == false { unverified += 1 }
    if result.outcome.isEnd, record.rejected > 0 { rejected += 1 }
  }
}
