public import BulkCoding
public import BulkPlan

/// What a migration did.
public struct MigrationOutcome: Hashable, Sendable {
  /// The store that was made; `nil` if there was nothing to do.
  public var destination: String?
  /// The rows that were written, including those of join tables.
  public var rows: Int64
  /// What the destination lacks of the source, step by step, as counted.
  public var losses: [MigrationPlan.Loss] = []
  /// What became of source rows, by entity mapping or destination table, as counted.
  package var tallies: [String: RowTally] = [:]
  /// The rules of the destination's model that were not checked, a sentence each.
  public var uncheckedRules: [String] = []
  /// The size of the destination in bytes.
  public var size: ByteCount
  /// The objects that were left out because they break rules, with the rows of pages that cannot be read.
  public var rejected: Int64 = 0
  /// Whether these may be fewer, because nothing tells how many rows such a page has.
  public var mayHaveRejectedFewer = false
  /// The folder with what is known of them; `nil` if there are none.
  public var rejectFolder: String?
  /// The rows that an interrupted run had written already; `nil` if there was none.
  public var rowsBefore: Int64?
  /// The steps of a route that an interrupted run had done already.
  public var stepsBefore = 0
  /// What the passes took, in order; none where a copy of the source was changed.
  public var passes: [PassUse] = []
  /// Whether an interrupted run had completed the store, so that it was only published.
  public var wasWhole = false
  /// Whether an earlier run had done everything, so that there was nothing to do.
  public var wasDone = false
  /// The peak of the process's memory, where the system reports it.
  public var peakMemory = ProcessMemory.peak
  /// Whether it waited on request (``RunControl``).
  public var hasWaited = false
}
