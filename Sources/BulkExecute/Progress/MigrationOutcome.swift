public import BulkCoding
public import BulkPlan

/// What a migration did.
public struct MigrationOutcome: Hashable, Sendable {
  /// The store that was made; `nil` where nothing was to do.
  public var destination: String?
  /// The rows that were written, those of join tables included.
  public var rows: Int64
  /// What of the source is not in the destination, step by step, as it was counted.
  public var losses: [MigrationPlan.Loss] = []
  /// The rules of the destination's model that the objects were not asked to keep, a sentence each.
  public var unaskedRules: [String] = []
  /// The size of the destination in bytes.
  public var size: ByteCount
  /// The rows that an interrupted run had written already; `nil` where there was none.
  public var rowsBefore: Int64?
  /// The steps that an interrupted run had done already, of a plan with several.
  public var stepsBefore = 0
  /// Whether an interrupted run had made the store whole, so that it was only published.
  public var wasWhole = false
  /// Whether an earlier run had done it all, so that nothing was to do.
  public var wasDone = false
  /// The most memory that the process held, where the system tells it.
  public var peakMemory = ProcessMemory.peak
}
