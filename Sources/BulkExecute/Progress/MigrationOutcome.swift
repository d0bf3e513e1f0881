public import BulkCoding
public import BulkPlan
public import BulkPlatform

/// The outcome of a migration.
public struct MigrationOutcome: Hashable, Sendable {
  /// The outcome where there was nothing to do.
  package static var nothing: MigrationOutcome {
    MigrationOutcome(destinationPath: nil, rows: 0, size: .zero)
  }

  /// The path of the store that was made; `nil` if there was nothing to do.
  package var destinationPath: String?
  /// The rows that were written, including those of join tables.
  public var rows: Int64
  /// The counted losses, step by step.
  public var losses: [MigrationPlan.Loss] = []
  /// The counted fates of source rows, by entity mapping or destination table; of a route those of its last leg.
  package var tallies: [String: RowTally] = [:]
  /// The counts of all legs of a route, in their order, with those that an interrupted run had finished; empty without a
  /// route.
  package var legs: [LegRecord] = []
  /// The rules of the destination's model that were not checked, a sentence each.
  public var uncheckedRules: [String] = []
  /// The size of the destination in bytes.
  public var size: ByteCount
  /// The objects that were left out because they violate rules.
  public var rejected: Int64 = 0
  /// The path of the folder with the reject files; `nil` if there are none.
  package var rejectFolderPath: String?
  /// The rows that an interrupted run had written already; `nil` if there was none.
  public var rowsBefore: Int64?
  /// The steps of a route that an interrupted run had done already.
  public var stepsBefore = 0
  /// The measures of the passes, in order; none where a copy of the source was changed.
  public var passes: [PassUse] = []
  /// Whether an interrupted run had completed the store, so that it was only published.
  public var wasWhole = false
  /// Whether an earlier run had done everything, so that there was nothing to do.
  public var wasDone = false
  /// The peak of the process's memory, where the system reports it.
  public var peakMemory = ProcessMemory.peak
}

extension MigrationOutcome {
  /// The store that was made; `nil` if there was nothing to do.
  public var destination: URL? { destinationPath.map { URL(fileURLWithPath: $0) } }

  /// The folder with the reject files; `nil` if there are none.
  public var rejectFolder: URL? { rejectFolderPath.map { URL(fileURLWithPath: $0) } }
}
