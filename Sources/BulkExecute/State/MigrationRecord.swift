public import BulkSupport
public import BulkPlan

/// The record of a migration: what its state directory holds, or how an attempt has ended.
///
/// `status`, the last line of `run`, the page of a report and `StoreMigration` show it. Its document is described by
/// `Plans/schemas/record.schema.json`.
public struct MigrationRecord: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, Hashable, Sendable {
    case status, attempt, rollback, replay
    /// The line of a store of a fleet.
    case store
  }

  /// The states of a migration.
  public enum State: String, Codable, Hashable, Sendable {
    /// There is nothing: no migration was begun, or its folder was removed at its end.
    case none
    /// A process works on it.
    case running
    /// It was interrupted, and can be resumed.
    case interrupted
    /// It was interrupted before its first checkpoint; the next run begins again.
    case abandoned
    /// It is done.
    case done
  }

  /// How an attempt has ended.
  package enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
    case done
    /// An earlier attempt has migrated it, or it had the wanted version.
    case already
    /// It failed; of a store of a fleet, it may succeed another time.
    case failed
    /// A store of a fleet that fails again until somebody corrects the store, the mapping or the plan.
    case quarantined
    /// It was stopped, and the next attempt resumes it.
    case stopped
    /// Another attempt has taken it over.
    case overtaken
    package var isEnd: Bool { self == .done || self == .already }
  }

  /// An error, and its object.
  package struct Fault: Codable, Hashable, Sendable {
    package var message: String
    package var entity: String?
    package var key: Int64?
    package var property: String?

    package init(message: String) { self.message = message }

    /// A message may say more than the error.
    package init(_ error: any Error, message: String) {
      self.message = message
      guard case MigrationError.invalidObjects(let summary)? = error as? MigrationError,
        let rule = summary.rules.first
      else { return }
      (entity, property) = (rule.name.entity, rule.name.property)
      key = rule.first.first?.key
    }
  }

  /// What a verification of the destination has found.
  package struct Verification: Codable, Hashable, Sendable {
    /// How thoroughly it looked: quick or full.
    package var level: String
    package var isVerified: Bool
    package var differences: Int64

    package init(level: String, isVerified: Bool, differences: Int64) {
      (self.level, self.isVerified, self.differences) = (level, isVerified, differences)
    }

    package var sentence: String {
      isVerified
        ? "\(level): nothing differs"
        : "\(level): \(differences == 0 ? "not all expectations are met" : "\(differences.grouped) differences")"
    }
  }

  package var kind = Kind.status
  package var tool = ToolVersion.text
  /// The state of the migration.
  public var state = State.none
  /// `nil` of a record that was read from a state directory.
  package var outcome: Outcome?
  package var exitCode: Int32?
  package var error: Fault?

  /// The path of the source.
  package var store: String?
  /// The path of the destination; `nil` where no plan is known, and where there was nothing to do.
  package var destinationPath: String?
  package var stateDirectory: String?
  /// The bytes that the files of the state directory take.
  public var stateBytes: Int64?
  package var planFingerprint: String?
  package private(set) var sourceIdentity: String?
  /// The path of the store that was replaced.
  package var kept: String?
  /// The path of the store that a rollback has replaced.
  package var undone: String?
  package var checkpoint: Int64?
  /// The rows that were written, including those of join tables: of a migration that is not done, as of the last
  /// checkpoint.
  public var rows: Int64 = 0
  /// The rows that a running process has written, those after the last checkpoint included; `nil` where it does not
  /// report that.
  public var rowsWritten: Int64?
  /// The rows to write, of all steps; the rows written, once the store is finished.
  public var rowsTotal: Int64?
  /// Whether `rowsTotal` is only an upper bound.
  public var isUpperBound = false
  package var rowsOfAttempt: Int64?
  /// The rows that an interrupted run had written already; `nil` if there was none.
  public var rowsBefore: Int64?
  /// The share of all work that a running process has done, from 0 to 1; `nil` where it does not report that.
  public var share: Double?
  /// The stage of a running process; `nil` where it does not report that.
  package var stage: MigrationProgress.Stage?
  /// Whether the store is complete: published, or only to be published.
  public var isFinished = false
  /// Whether an interrupted run had completed the store, so that it was only published.
  public var wasWhole = false
  /// Whether there are checkpoints but none can be used.
  public var isDamaged = false
  /// The size of the destination in bytes; `nil` while there is none.
  package var bytes: Int64?
  /// The measures of the passes so far, of the running leg of a route; empty where there is only one, and where a copy of
  /// the source was changed.
  public var passes: [PassUse] = []

  /// The counted losses, step by step; empty before the store is finished.
  public var losses: [MigrationPlan.Loss] = []
  /// The objects that were left out because they violate rules, with the rows of pages that cannot
  /// be read.
  public var rejected: Int64 = 0
  /// `nil` if there are no reject files.
  package var rejectFolderPath: String?
  /// The file of the violations for which the last run made no destination; `nil` if there is none.
  package var violations: String?
  /// The rules of the destination's model that were not checked, a sentence each.
  public var uncheckedRules: [String] = []
  package var warnings: [String] = []
  /// What the last verification has found, of a destination that has not changed since; `nil` without one.
  package var verification: Verification?

  /// The process that holds the state directory, or held it last.
  package var owner: StateOwner?
  /// The requests that a running process follows; `nil` if there are none.
  package var control: RunControl?
  package private(set) var attempts: [AttemptRecord] = []
  package var bytesRead: Int64?
  package var bytesWritten: Int64?
  package var wallSeconds: Double?
  package var processorSeconds: Double?
  package var peakMemoryBytes: Int64?

  // What no document has.

  package private(set) var plan: MigrationPlan?
  package private(set) var measures: MeasureRecord?
  /// The counted outcomes of source rows, by entity mapping or destination table, once the store is complete; of a route
  /// those of its last leg.
  package var tallies: [String: RowTally] = [:]
  /// In the order of the legs.
  package var legs: [LegRecord] = []
  /// The steps of a route that an interrupted run had done already.
  public var stepsBefore = 0
  /// The memory limit of the last run; of the last checkpoint where the lock does not tell.
  public var memoryLimit: ByteCount?
  /// Whether the store has its name and lacks no objects, so that only the state directory has to be tidied.
  package var isPublished = false
  /// The number of the passes, those that were not begun included.
  package var passCount = 0
  package var violationSummary: ViolationSummary?
  package var isKept = false

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case kind, tool, state, outcome, exitCode, error
    case store
    case destinationPath = "destination"
    case stateDirectory, stateBytes
    case planFingerprint = "plan"
    case sourceIdentity = "source"
    case kept, undone
    case checkpoint, rows, rowsWritten, rowsTotal, isUpperBound, rowsOfAttempt
    case rowsBefore = "resumedAtRow"
    case share, stage, isFinished
    case wasWhole = "onlyPublished"
    case isDamaged, bytes, passes
    case losses, rejected
    case rejectFolderPath = "rejects"
    case violations, uncheckedRules, warnings, verification
    case owner, control, attempts
    case bytesRead, bytesWritten, wallSeconds, processorSeconds, peakMemoryBytes
  }

  package static var members: [String] { CodingKeys.allCases.map(\.rawValue) }

  package init(_ kind: Kind = .attempt) { self.kind = kind }
}

extension MigrationRecord {
  package mutating func take(_ plan: MigrationPlan) {
    self.plan = plan
    (planFingerprint, sourceIdentity) = (plan.fingerprint, plan.source.identity)
    store = plan.source.store
    // Where there was nothing to do, there is no destination.
    if outcome == nil { destinationPath = plan.destination.store }
  }

  /// Takes what a checkpoint says, without measures that no migration wrote.
  package mutating func take(_ measures: MeasureRecord?) {
    self.measures = measures.flatMap { $0.isSound ? $0 : nil }
    attempts = self.measures?.attempts ?? []
  }

  package static var nothing: MigrationRecord {
    var record = MigrationRecord()
    (record.state, record.outcome) = (.done, .already)
    return record
  }

  package init(destinationPath: String, rows: Int64, size: ByteCount) {
    self.init()
    (state, outcome, isFinished) = (.done, .done, true)
    (self.destinationPath, self.rows, bytes) = (destinationPath, rows, size.bytes)
    peakMemoryBytes = ProcessMemory.peak?.bytes
  }

  /// The rows that the last checkpoint keeps; `nil` before one.
  public var rowsKept: Int64? { checkpoint.map { _ in rows } }

  /// Whether an earlier run had done everything, so that there was nothing to do.
  public var wasDone: Bool { outcome == .already && destinationPath != nil }

  /// The size of the destination.
  public var size: ByteCount { ByteCount(bytes: bytes ?? 0) }

  /// The peak of the process's memory, where the system reports it.
  public var peakMemory: ByteCount? { peakMemoryBytes.map { ByteCount(bytes: $0) } }

  /// The store that was made; `nil` if there was nothing to do.
  public var destination: URL? { destinationPath.map { URL(fileURLWithPath: $0) } }

  /// The folder with the reject files; `nil` if there are none.
  public var rejectFolder: URL? { rejectFolderPath.map { URL(fileURLWithPath: $0) } }

  /// The message may say more than the error.
  package mutating func fail(_ found: any Error, message: String) {
    outcome = .failed
    if case MigrationError.fenced? = found as? MigrationError { outcome = .overtaken }
    if case MigrationError.invalidObjects(let summary)? = found as? MigrationError {
      violationSummary = summary
    }
    error = Fault(found, message: message)
  }

  package mutating func takeUse(_ wall: Duration) {
    wallSeconds = wall / .seconds(1)
    processorSeconds = ProcessUse.processorSeconds
    (bytesRead, bytesWritten) = (ProcessUse.bytesRead, ProcessUse.bytesWritten)
    peakMemoryBytes = ProcessMemory.peak?.bytes
  }
}
